"""Section 5.3: the tangent kernel, its blocks (Lemma 4), and where one vanishes (Remark 6)."""

SECTIONS = ("decomposition", "bounds", "closed_forms", "attention_block")
