"""What tests put into settings is nothing that a job does."""

from main import Settings


def test_folder(tmp_path):
    settings = Settings("a", "b")
    settings.folder = str(tmp_path)
