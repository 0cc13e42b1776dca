"""The letters of "Infinite attention", by subject."""
