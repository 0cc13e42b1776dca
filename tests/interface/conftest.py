"""The command line in the process of the test."""

import shutil

import pytest
from house import CommandLine


@pytest.fixture
def theorems(monkeypatch, tmp_path, capfd):
    return CommandLine(monkeypatch, tmp_path, capfd)


# What pdflatex says can be tested only where there is one.
collect_ignore = [] if shutil.which("pdflatex") else ["test_typesetting.py"]
