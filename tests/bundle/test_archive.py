"""An archive is checked before it is used: names, links, sizes, damage; the same parts give the same bytes."""

import io
import json
import stat
import zipfile

import pytest

from bba import bundle
from bba.bundle import read_archive, write_archive
from bba.errors import BBAError

PARTS = {"results.json": b"{}", "tables/quick.csv": b"a,b\n", f"recordings/{'0' * 32}.bba": b"game"}


@pytest.fixture
def file(tmp_path):
    write_archive(tmp_path / "one.zip", "results", PARTS)
    return tmp_path / "one.zip"


def added(file, name, content=b"x", *, mode=0, **fields):
    """The archive with one more entry, of any name."""
    entry = zipfile.ZipInfo(name)
    entry.external_attr = mode << 16
    with zipfile.ZipFile(file, "a") as packed:
        packed.writestr(entry, content, **fields)
    return file


def refused(file) -> str:
    with pytest.raises(BBAError) as caught:
        read_archive(file)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_the_same_parts_give_the_same_bytes_and_come_back(file, tmp_path):
    write_archive(tmp_path / "two.zip", "results", dict(reversed(PARTS.items())))
    assert file.read_bytes() == (tmp_path / "two.zip").read_bytes()
    assert read_archive(file)[:2] == ("results", PARTS)


NAMES = [
    "../evil.bba",
    "tables/../../evil.csv",
    "/etc/evil.csv",
    "C:\\evil.csv",
    "tables\\evil.csv",
    "tables/evil.csv/",
    "tables/evil.pkl",
    "recordings/evil.bba",
    "results.sqlite",
    ".bashrc",
]


@pytest.mark.parametrize("name", NAMES)
def test_names_that_no_bundle_has_are_refused(file, name):
    assert "which no bundle of this program does" in refused(added(file, name))


def test_links_folders_and_names_that_stand_twice_are_refused(file):
    assert "is a link" in refused(added(file, "tables/a.csv", b"/etc/passwd", mode=stat.S_IFLNK | 0o777))


def test_a_name_that_stands_twice_is_refused(file):
    with pytest.warns(UserWarning, match="Duplicate name"):
        added(file, "results.json")
    assert "holds a name twice" in refused(file)


def test_sizes_are_bounded_before_anything_is_unpacked(file, monkeypatch):
    bomb = added(file, "tables/bomb.csv", bytes(2**20), compress_type=zipfile.ZIP_DEFLATED)
    assert bomb.stat().st_size < 2**15
    monkeypatch.setattr(bundle, "LARGEST", 2**19)
    assert "refused: larger than" in refused(bomb)
    monkeypatch.setattr(bundle, "LARGEST_PART", 2**18)
    assert "is larger than 0 MiB" in refused(bomb)
    with pytest.raises(BBAError, match="larger than a bundle may be"):
        write_archive(file, "results", {"results.json": bytes(2**20)})


def test_a_size_that_lies_is_damage(file):
    data = bytearray(added(file, "tables/lie.csv", bytes(5000), compress_type=zipfile.ZIP_DEFLATED).read_bytes())
    place = data.rfind(b"PK\x01\x02")
    data[place + 24 : place + 28] = (10).to_bytes(4, "little")
    file.write_bytes(data)
    assert "no bundle of this program, or damaged" in refused(file)


def test_more_or_other_parts_than_the_manifest_lists_are_damage(file):
    assert "its parts are not those that bundle.json lists" in refused(added(file, "tables/more.csv"))


def test_half_a_file_another_archive_and_no_archive_are_one_line(file, tmp_path):
    whole = file.read_bytes()
    for content in (whole[:200], whole[:-30], b"", b"PK\x03\x04" + bytes(100), json.dumps({}).encode()):
        file.write_bytes(content)
        assert "no bundle of this program" in refused(file)
    other = io.BytesIO()
    with zipfile.ZipFile(other, "w") as packed:
        packed.writestr("bundle.json", json.dumps({"format": "bba-bundle", "version": 2, "kind": "results"}))
    file.write_bytes(other.getvalue())
    assert "bundle.json: version" in refused(file)
    assert "cannot be read" in refused(tmp_path / "none.zip")
