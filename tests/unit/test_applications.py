"""Desktop entries, file types and their handlers, in folders made for the test."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from deskhand.platforms.linux.applications import Catalogue
from deskhand.platforms.linux.desktop_entries import as_list, locales, split_exec, unescaped
from deskhand.platforms.linux.mime import mime_type
from deskhand.types.errors import DeskhandError

Write = Callable[..., Path]

EDITOR = """[Desktop Entry]
Type=Application
Name=Mousepad
Name[de]=Mausblock
GenericName=Text Editor
GenericName[de]=Texteditor
Keywords=note;pad;
Exec=mousepad %U
MimeType=text/plain;
Icon=pad
[Desktop Action new]
Name=New
Exec=mousepad --new
"""


def entry(name: str, command: str = "run", **values: str) -> str:
    lines = "\n".join(f"{key}={value}" for key, value in values.items())
    return f"[Desktop Entry]\nType=Application\nName={name}\nExec={command}\n{lines}\n"


class World:
    """An environment with its own data, configuration and programs."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.environment = {
            "HOME": str(root / "home"), "XDG_DATA_HOME": str(root / "own"),
            "XDG_DATA_DIRS": f"{root}/first:{root}/second", "XDG_CONFIG_HOME": str(root / "config"),
            "XDG_CONFIG_DIRS": str(root / "etc"), "PATH": str(root / "bin"), "LANG": "C.UTF-8",
        }  # fmt: skip
        for program in ("run", "mousepad", "calc", "soffice", "browser"):
            self.program(program)

    def write(self, path: str, text: str) -> Path:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
        return place

    def app(self, entry_id: str, text: str, folder: str = "first") -> None:
        self.write(f"{folder}/applications/{entry_id}.desktop", text)

    def program(self, name: str) -> None:
        os.chmod(self.write(f"bin/{name}", "#!/bin/sh\n"), 0o755)

    def catalogue(self, **environment: str) -> Catalogue:
        return Catalogue(self.environment | environment)

    def names(self, **environment: str) -> list[str]:
        return [app.name for app in self.catalogue(**environment).entries()]


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def test_an_entry_is_read_with_its_names_types_and_command(world: World) -> None:
    world.app("org.xfce.mousepad", EDITOR)
    (app,) = world.catalogue().entries()
    assert (app.id, app.name, app.command) == ("org.xfce.mousepad.desktop", "Mousepad", ("mousepad",))
    assert (app.mime_types, app.keywords) == (("text/plain",), ("note", "pad"))


@pytest.mark.parametrize(
    ("variable", "value", "name"),
    [("LANG", "de_DE.UTF-8", "Mausblock"), ("LC_ALL", "de", "Mausblock"), ("LANG", "fr_FR.UTF-8", "Mousepad")],
)
def test_names_are_in_the_user_s_language(world: World, variable: str, value: str, name: str) -> None:
    world.app("pad", EDITOR)
    assert world.names(**{variable: value}) == [name]


def test_the_most_telling_locale_comes_first() -> None:
    assert locales({"LANG": "sr_YU.UTF-8@Latn"}) == ("sr_YU@Latn", "sr_YU", "sr@Latn", "sr")
    assert locales({"LANG": "C.UTF-8"}) == ()
    assert locales({"LC_ALL": "en", "LANG": "de"}) == ("en",)


@pytest.mark.parametrize(
    "values",
    [
        {"NoDisplay": "true"}, {"Hidden": "true"}, {"OnlyShowIn": "GNOME;"}, {"TryExec": "not-installed"},
        {"TryExec": "/nowhere/at/all"},
    ],
)  # fmt: skip
def test_what_is_not_to_be_shown_is_not_listed(world: World, values: dict[str, str]) -> None:
    world.app("hidden", entry("Hidden", **values))
    world.app("shown", entry("Shown", TryExec="run", NotShowIn="KDE;"))
    assert world.names() == ["Shown"]


def test_desktops_see_what_is_meant_for_them(world: World) -> None:
    world.app("gnome", entry("Gnomish", OnlyShowIn="GNOME;"))
    world.app("other", entry("Other", NotShowIn="GNOME;"))
    assert world.names(XDG_CURRENT_DESKTOP="ubuntu:GNOME") == ["Gnomish"]
    assert world.names(XDG_CURRENT_DESKTOP="XFCE") == ["Other"]


def test_a_program_that_is_not_installed_and_a_broken_entry_are_not_listed(world: World) -> None:
    world.app("gone", entry("Gone", "uninstalled %f"))
    world.app("empty", "")
    world.app("link", "[Desktop Entry]\nType=Link\nName=Link\nURL=https://example.org\n")
    world.app("quotes", entry("Quotes", 'run "never closed'))
    (world.root / "first/applications/dangling.desktop").symlink_to("/nowhere")
    assert world.names() == []


def test_the_user_s_own_entry_replaces_and_can_hide_the_system_s(world: World) -> None:
    world.app("a", entry("System A"), "second")
    world.app("b", entry("System B"), "second")
    world.app("a", entry("My A"), "own")
    world.app("b", entry("Whatever", Hidden="true"), "own")
    assert world.names() == ["My A"]


def test_entries_in_subfolders_have_dashes_in_their_ids(world: World) -> None:
    world.app("kde/viewer", entry("Viewer"))
    assert world.catalogue().match("kde-viewer").id == "kde-viewer.desktop"


def test_a_newly_installed_application_is_seen(world: World) -> None:
    world.app("a", entry("A"))
    catalogue = world.catalogue()
    assert len(catalogue.entries()) == 1
    world.app("b", entry("B"))
    os.utime(world.root / "first/applications", ns=(1, 1))  # file systems stamp coarsely
    assert len(catalogue.entries()) == 2


# -- command lines -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("value", "arguments"),
    [
        ("run --flag  x", ("run", "--flag", "x")), ('run "two words" y', ("run", "two words", "y")),
        (r'run "a \"b\" \$c \\ \`d\`"', ("run", 'a "b" $c \\ `d`')), ('run ""', ("run", "")),
        ('run "open', ()), ("", ()),
    ],
)  # fmt: skip
def test_exec_values_are_split_by_the_rules_of_quoting(value: str, arguments: tuple[str, ...]) -> None:
    assert split_exec(value) == arguments


@pytest.mark.parametrize(
    ("command", "files", "expected"),
    [
        ("run %f", ["/a b"], ("run", "/a b")), ("run %F --x", ["/a", "/b"], ("run", "/a", "/b", "--x")),
        ("run %U", ["/a", "/b"], ("run", "/a", "/b")), ("run", ["/a"], ("run", "/a")), ("run %f", [], ("run",)),
        ("run --file=%f", ["/a"], ("run", "--file=/a")), ("run %% %c %k", [], ("run", "%", "App", "{k}")),
        ("run %i", [], ("run", "--icon", "pad")), ("run %d %m x", [], ("run", "x")),
        ("run $(reboot);x", [], ("run", "$(reboot);x")),
    ],
)  # fmt: skip
def test_field_codes_are_expanded(world: World, command: str, files: list[str], expected: tuple[str, ...]) -> None:
    world.app("app", entry("App", command, Icon="pad"))
    catalogue = world.catalogue()
    path = str(world.root / "first/applications/app.desktop")
    assert catalogue.command_line(catalogue.match("App"), files) == tuple(one.replace("{k}", path) for one in expected)


def test_addresses_go_where_they_are_taken_and_files_as_addresses_become_paths(world: World) -> None:
    world.app("files", entry("Files", "run %F"))
    world.app("web", entry("Web", "browser %u"))
    catalogue = world.catalogue()
    files, web = catalogue.match("Files"), catalogue.match("Web")
    assert catalogue.command_line(web, urls=["https://example.org/?a=b"]) == ("browser", "https://example.org/?a=b")
    assert catalogue.command_line(files, urls=["file:///a%20b"]) == ("run", "/a b")
    with pytest.raises(DeskhandError) as refused:
        catalogue.command_line(files, urls=["https://example.org"])
    assert refused.value.code == "invalid_request"


def test_several_files_are_refused_where_one_is_taken(world: World) -> None:
    world.app("one", entry("One", "run %f"))
    catalogue = world.catalogue()
    with pytest.raises(DeskhandError) as refused:
        catalogue.command_line(catalogue.match("One"), ["/a", "/b"])
    assert refused.value.code == "invalid_request"


def test_a_terminal_application_gets_a_terminal_or_says_that_there_is_none(world: World) -> None:
    world.app("top", entry("Top", "run", Terminal="true"))
    catalogue = world.catalogue()
    with pytest.raises(DeskhandError) as refused:
        catalogue.command_line(catalogue.match("Top"))
    assert refused.value.code == "launch_failed"
    world.program("xterm")
    assert catalogue.command_line(catalogue.match("Top")) == ("xterm", "-e", "run")


def test_string_and_list_escapes() -> None:
    assert unescaped(r"a\sb\tc\\d\q") == "a b\tc\\d\\q"
    assert as_list(r"a;b\;c;;d") == ("a", "b;c", "d")


# -- what a person calls it --------------------------------------------------------------------------------------
@pytest.fixture
def office(world: World) -> World:
    world.app("org.gnome.Calculator", entry("Calculator", "calc"))
    world.app("libreoffice-calc", entry("LibreOffice Calc", "soffice --calc", StartupWMClass="libreoffice-calc"))
    world.app("libreoffice-writer", entry("LibreOffice Writer", "soffice --writer", StartupWMClass="lo-writer"))
    world.app("org.xfce.mousepad", EDITOR)
    world.app("secret", entry("Secret Tool", NoDisplay="true"))
    return world


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Calculator", "org.gnome.Calculator"), ("calculator", "org.gnome.Calculator"),
        ("LibreOffice Calc", "libreoffice-calc"),
        ("libreoffice  calc", "libreoffice-calc"), ("lo-writer", "libreoffice-writer"),
        ("mousepad", "org.xfce.mousepad"),
        ("org.xfce.mousepad", "org.xfce.mousepad"), ("org.xfce.mousepad.desktop", "org.xfce.mousepad"),
        ("calc", "org.gnome.Calculator"),
        ("writer", "libreoffice-writer"), ("Calculat", "org.gnome.Calculator"), ("text editor", "org.xfce.mousepad"),
        ("secret tool", "secret"),
    ],
)  # fmt: skip
def test_applications_are_found_by_what_people_call_them(office: World, said: str, meant: str) -> None:
    assert office.catalogue().match(said).id == f"{meant}.desktop"


def test_a_name_in_another_language_is_understood_beside_the_untranslated_one(office: World) -> None:
    german = office.catalogue(LANG="de_DE.UTF-8")
    assert german.match("Mausblock").id == german.match("Mousepad").id == german.match("Texteditor").id


def test_an_ambiguous_name_is_refused_with_those_it_may_mean(office: World) -> None:
    with pytest.raises(DeskhandError) as refused:
        office.catalogue().match("libreoffice")
    assert refused.value.code == "ambiguous_target"
    assert refused.value.candidates == ["LibreOffice Calc", "LibreOffice Writer"]


def test_two_applications_of_one_name_are_told_apart_by_id(office: World) -> None:
    office.app("other.calculator", entry("Calculator"))
    with pytest.raises(DeskhandError) as refused:
        office.catalogue().match("calculator")
    assert refused.value.candidates == ["org.gnome.Calculator.desktop", "other.calculator.desktop"]


def test_an_unknown_name_is_refused_with_what_is_near(office: World) -> None:
    with pytest.raises(DeskhandError) as refused:
        office.catalogue().match("Calculater")
    assert refused.value.code == "not_found"
    assert refused.value.candidates[0] == "Calculator"


# -- files and addresses -------------------------------------------------------------------------------------------
GLOBS = """# weight, type, pattern, flags
50:text/csv:*.csv
50:text/x-readme:readme*
60:application/x-tar-gz:*.tar.gz
50:application/gzip:*.gz
50:text/x-c:*.C:cs
"""


@pytest.fixture
def desk(office: World) -> World:
    office.write("first/mime/globs2", GLOBS)
    office.write("first/mime/subclasses", "text/csv text/plain\n")
    office.app("sheets", entry("Sheets", "calc %f", MimeType="text/csv;"))
    office.app("viewer", entry("Viewer", "run %f", MimeType="text/plain;text/csv;", NoDisplay="true"))
    office.app("web", entry("Web", "browser %u", MimeType="x-scheme-handler/https;text/html;"))
    return office


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.csv", "text/csv"), ("A.CSV", "text/csv"), ("x.tar.gz", "application/x-tar-gz"),
        ("x.gz", "application/gzip"),
        ("README.first", "text/x-readme"), ("a.C", "text/x-c"), ("a.png", "image/png"), ("plain", "text/plain"),
    ],
)  # fmt: skip
def test_the_type_of_a_file_is_told_by_its_name(desk: World, name: str, kind: str) -> None:
    assert mime_type(str(desk.write(f"files/{name}", "content")), desk.environment) == kind


def test_a_file_without_a_telling_name_is_text_only_if_it_holds_text(desk: World) -> None:
    binary = desk.root / "thing"
    binary.write_bytes(b"\x00\x01\xff")
    assert mime_type(str(binary), desk.environment) == "application/octet-stream"
    binary.write_text("ä" * 4000)
    assert mime_type(str(binary), desk.environment) == "text/plain"
    assert mime_type(str(desk.root), desk.environment) == "inode/directory"


def test_the_user_s_choice_opens_a_file_before_the_system_s(desk: World) -> None:
    path = str(desk.write("files/a.csv", "1,2"))
    assert desk.catalogue().for_file(path).name == "Sheets"
    desk.write("etc/mimeapps.list", "[Default Applications]\ntext/csv=viewer.desktop;\n")
    assert desk.catalogue().for_file(path).name == "Viewer"
    desk.write("config/mimeapps.list", "[Default Applications]\ntext/csv=gone.desktop;libreoffice-calc.desktop;\n")
    assert desk.catalogue().for_file(path).name == "LibreOffice Calc"


def test_removed_associations_and_the_cache_s_order_count(desk: World) -> None:
    path = str(desk.write("files/a.csv", "1,2"))
    desk.write("first/applications/mimeinfo.cache", "[MIME Cache]\ntext/csv=viewer.desktop;sheets.desktop;\n")
    assert desk.catalogue().for_file(path).name == "Viewer"
    desk.write("config/mimeapps.list", "[Removed Associations]\ntext/csv=viewer.desktop;\n")
    assert desk.catalogue().for_file(path).name == "Sheets"


def test_a_type_without_its_own_application_is_opened_as_what_it_is_a_kind_of(desk: World) -> None:
    path = str(desk.write("files/readme.now", "hello"))
    assert desk.catalogue().for_file(path).id in ("org.xfce.mousepad.desktop", "viewer.desktop")


def test_a_missing_file_and_a_file_that_nothing_opens_are_not_found(desk: World) -> None:
    for path in (str(desk.root / "nowhere.csv"), str(desk.write("files/a.png", "x"))):
        with pytest.raises(DeskhandError) as refused:
            desk.catalogue().for_file(path)
        assert refused.value.code == "not_found"


def test_an_address_goes_to_the_handler_of_its_scheme(desk: World) -> None:
    catalogue = desk.catalogue()
    assert catalogue.for_url("https://example.org").name == "Web"
    assert catalogue.for_url("http://example.org").name == "Web", "through text/html"
    path = desk.write("files/a b.csv", "1,2")
    assert catalogue.for_url(f"file://{str(path).replace(' ', '%20')}").name == "Sheets"


@pytest.mark.parametrize(("url", "code"), [("mailto:a@example.org", "not_found"), ("example.org", "invalid_request")])
def test_an_address_that_nothing_handles_is_refused(desk: World, url: str, code: str) -> None:
    with pytest.raises(DeskhandError) as refused:
        desk.catalogue().for_url(url)
    assert refused.value.code == code
