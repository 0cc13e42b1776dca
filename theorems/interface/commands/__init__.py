"""The commands of ``theorems``; each loads what it needs when it is called."""
