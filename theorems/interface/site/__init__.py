"""The report: a static site with a page for each claim, paper and note, from the last run."""
