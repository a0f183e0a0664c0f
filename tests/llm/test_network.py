"""Proxies and certificates of the environment are used, or said in one line before any game; spaces are no mistake."""

from urllib.parse import urlsplit

import pytest
from pydantic import SecretStr

from bba.agents import SeatSpec, load_agent
from bba.errors import BBAError
from bba.llm.local_download import _complaint_of_pip
from bba.planner import connection
from bba.planner.chat import ModelUnusable
from bba.planner.connection import is_local, proxy_of
from bba.planner.model_options import ModelOptions
from tests.helpers.command_line import parsed
from tests.helpers.fake_endpoint import KEY, answers, unreachable
from tests.helpers.model_backends import HELLO, backend
from tests.helpers.socks_proxy import running_proxy
from tui.arguments.seat_options import model_options, options_by_model
from tui.cli import main
from tui.game_factory import live_source

FAR = "http://model.example/v1"
PASSWORD = "hunter22-secret"


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def at(url: str, **fields) -> ModelOptions:
    return ModelOptions(model="m", base_url=url, key=SecretStr(KEY), cache="off", **fields)


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://127.0.0.1:8000/v1", True),
        ("http://127.8.8.8/v1", True),
        ("http://localhost:11434/v1", True),
        ("http://LOCALHOST/v1", True),
        ("http://gpu.localhost/v1", True),
        ("http://[::1]:8000/v1", True),
        ("http://0.0.0.0:8000/v1", True),
        ("http://128.0.0.1/v1", False),
        ("http://localhost.example/v1", False),
        ("https://api.openai.com/v1", False),
    ],
)
def test_an_address_of_this_machine_goes_without_a_proxy(monkeypatch, url, local):
    monkeypatch.setenv("ALL_PROXY", "http://proxy.example:3128")
    assert is_local(url) is local
    assert (proxy_of(url) is None) is local


@pytest.mark.parametrize("variable", ["http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy"])
@pytest.mark.parametrize("proxy", ["http://127.0.0.1:9", "socks5://127.0.0.1:9", "socks://127.0.0.1:9", "nonsense:x"])
def test_no_proxy_keeps_an_endpoint_of_this_machine_from_being_asked(endpoint, monkeypatch, variable, proxy):
    monkeypatch.setenv(variable, proxy)
    endpoint.behaviours = [answers("8")]
    assert backend(endpoint).complete(HELLO).text == "8"


@pytest.mark.parametrize("variable", ["http_proxy", "ALL_PROXY"])
def test_a_proxy_is_used_for_another_machine(endpoint, monkeypatch, variable):
    monkeypatch.setenv(variable, f"http://user:{PASSWORD}@127.0.0.1:{urlsplit(endpoint.url).port}")
    assert backend(endpoint, base_url=FAR).complete(HELLO).text == "4"
    assert endpoint.paths == ["http://model.example/v1/chat/completions"]


@pytest.mark.parametrize("scheme", ["socks5", "socks5h"])
def test_a_socks_proxy_is_used_for_another_machine(endpoint, monkeypatch, scheme):
    pytest.importorskip("socksio")
    with running_proxy(urlsplit(endpoint.url).port) as proxy:
        monkeypatch.setenv("ALL_PROXY", proxy.url.replace("socks5", scheme))
        assert backend(endpoint, base_url=FAR).complete(HELLO).text == "4"
    assert proxy.hosts == ["model.example"]


@pytest.mark.parametrize("left_out", ["*", "model.example", ".example", "other,example"])
def test_no_proxy_is_heard(monkeypatch, left_out):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", left_out)
    assert proxy_of(FAR) is None


def test_no_proxy_takes_networks(monkeypatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "localhost, 10.0.0.0/8")
    assert proxy_of("http://10.1.2.3/v1") is None
    assert proxy_of("http://11.1.2.3/v1").shown == "http://127.0.0.1:9 (http_proxy)"


@pytest.mark.parametrize("variable", ["http_proxy", "ALL_PROXY"])
def test_a_proxy_that_is_not_there_is_named_without_its_password(endpoint, monkeypatch, variable):
    with unreachable() as url:
        monkeypatch.setenv(variable, f"http://user:{PASSWORD}@127.0.0.1:{urlsplit(url).port}")
        with pytest.raises(ModelUnusable) as caught:
            backend(endpoint, base_url=FAR, attempts=1).complete(HELLO)
    assert f"by the proxy http://127.0.0.1:{urlsplit(url).port} ({variable})" in str(caught.value)
    assert f"check {variable} and --base-url" in str(caught.value)
    assert PASSWORD not in str(caught.value)


def test_a_proxy_that_wants_a_password_is_said(endpoint, monkeypatch):
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{urlsplit(endpoint.url).port}")
    endpoint.behaviours = [lambda handler: handler.send(407, b"")]
    with pytest.raises(ModelUnusable, match="the proxy wants a user and a password"):
        backend(endpoint, base_url=FAR).complete(HELLO)


UNUSABLE = {
    "SOCKS without its package": (f"socks5://user:{PASSWORD}@10.0.0.1:1080", "socks5://10.0.0.1:1080 is a SOCKS proxy"),
    "SOCKS by GNOME's name": ("socks://127.0.0.1:7891/", "socks://127.0.0.1:7891 is not the address of a proxy"),
    "SOCKS 4": ("socks4://127.0.0.1:1080", "socks4://127.0.0.1:1080 is not the address of a proxy"),
    "a port that is none": (f"http://user:{PASSWORD}@proxy:port", "http://proxy:port is not the address of a proxy"),
    "no host": ("http://", "http:// is not the address of a proxy"),
}


@pytest.mark.parametrize(("proxy", "words"), UNUSABLE.values(), ids=UNUSABLE)
@pytest.mark.parametrize("variable", ["ALL_PROXY", "http_proxy"])
def test_a_proxy_that_cannot_be_used_is_one_line_before_any_game(capsys, monkeypatch, variable, proxy, words):
    monkeypatch.setattr(connection, "find_spec", lambda _: None)
    monkeypatch.setenv(variable, proxy)
    common = ["--planner", "openai", "--model", "m", "--base-url", FAR, "--cache", "off"]
    for command in (["headless", "open"], ["exam", "--out", "results"], ["bench", "quick", "--out", "results"]):
        assert main([*command, *common]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith(f"bba-tui: {variable}: {words}")
        assert err.count("\n") == 1
        assert f"unset {variable}" in err
        assert PASSWORD not in err
    with pytest.raises(BBAError, match=variable):
        live_source(parsed(["watch", "open", *common]))
    with pytest.raises(BBAError, match=variable):
        load_agent("bayes", SeatSpec(planner="openai", model=at(FAR)))


CERTIFICATES = {
    "no file": ("SSL_CERT_FILE", "nowhere.pem", "nowhere.pem: no such file"),
    "a folder": ("SSL_CERT_FILE", ".", ".: a folder, not a file"),
    "a text": ("SSL_CERT_FILE", "text.pem", "text.pem: holds no certificates"),
    "an empty file": ("SSL_CERT_FILE", "empty.pem", "empty.pem: holds no certificates"),
    "no folder": ("SSL_CERT_DIR", "nowhere", "nowhere: no such folder"),
    "a file for a folder": ("SSL_CERT_DIR", "text.pem", "text.pem: no such folder"),
}


@pytest.mark.parametrize(("variable", "value", "words"), CERTIFICATES.values(), ids=CERTIFICATES)
def test_certificates_that_are_none_are_one_line_before_any_game(
    capsys, tmp_path, monkeypatch, endpoint, variable, value, words
):
    (tmp_path / "text.pem").write_text("no certificate")
    (tmp_path / "empty.pem").touch()
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    monkeypatch.setenv(variable, value)
    common = ["--planner", "openai", "--model", "m", "--base-url", endpoint.url, "--cache", "off"]
    for command in (["headless", "open"], ["exam", "--out", "results"]):
        assert main([*command, *common]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith(f"bba-tui: {variable}: {words}")
        assert err.count("\n") == 1
    with pytest.raises(BBAError, match=f"^{variable}: "):
        live_source(parsed(["watch", "open", *common]))
    with pytest.raises(BBAError, match=f"^{variable}: ") as caught:
        at("https://api.openai.com/v1")
    assert str(caught.value).startswith(f"{variable}: {words}")
    assert endpoint.requests == []


def test_what_asks_nobody_needs_no_network(monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", "nowhere.pem")
    monkeypatch.setenv("ALL_PROXY", "socks://nowhere")
    assert ModelOptions(model="m", cache="only").endpoint == "https://api.openai.com/v1"
    assert load_agent("bayes").profile.planner == "scripted"


def test_a_download_says_what_is_wrong_with_its_proxy(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(connection, "find_spec", lambda _: None)
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:9")
    assert main(["models", "get", "qwen2.5-coder-0.5b"]) == 2
    assert "ALL_PROXY: socks5://127.0.0.1:9 is a SOCKS proxy" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("ERROR: Exception:\nTraceback …\nInvalidSchema: Missing dependencies for SOCKS support.\n", "pysocks"),
        ("ERROR: Exception:\nTraceback …\nOSError: the disk is full\n", "the disk is full"),
        ("WARNING: old\nERROR: No matching distribution found\n", "No matching distribution"),
    ],
)
def test_what_pip_complains_of_is_said(said, words):
    assert words in _complaint_of_pip(said)


SPACES = [" {}", "{}\n", "\t{} ", "\r\n{}\r\n", "\u00a0{}"]


@pytest.mark.parametrize("spaces", SPACES)
def test_spaces_around_address_key_and_model_are_dropped_wherever_they_come_from(monkeypatch, tmp_path, spaces):
    key, url, name = (spaces.format(text) for text in (KEY, FAR, "llama3.1"))
    openai = ["headless", "open", "--planner", "openai"]
    monkeypatch.setenv("OPENAI_API_KEY", key)
    found = [model_options(parsed([*openai, "--base-url", url, "--model", name]))]
    (tmp_path / "config.toml").write_text(f"base-url = '''{url}'''\nmodel = '''{name}'''\n")
    found.append(model_options(parsed([*openai, "--config", "config.toml"])))
    (tmp_path / "models.toml").write_text(f"[\"llama3.1\"]\nbase-url = '''{url}'''\nkey-env = \"OPENAI_API_KEY \"\n")
    (tmp_path / "models.toml").write_text((tmp_path / "models.toml").read_text().replace("-", "_"))
    found.append(options_by_model(parsed(openai), "models.toml")["llama3.1"].model)
    found.append(ModelOptions(model=name, base_url=url, key=SecretStr(key)))
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    found.append(model_options(parsed([*openai, "--model", name])))
    monkeypatch.delenv("OPENAI_BASE_URL")
    monkeypatch.setenv("BBA_BASE_URL", url)
    monkeypatch.setenv("BBA_API_KEY", key)
    found.append(model_options(parsed([*openai, "--model", name])))
    assert {(one.base_url, one.model, one.key.get_secret_value()) for one in found} == {(FAR, "llama3.1", KEY)}


@pytest.mark.parametrize("url", ["http://127.0.0.1:9 /v1", "http://local host/v1", "http://host/v 1", "http:/ /host"])
def test_spaces_within_an_address_are_refused(url):
    with pytest.raises(BBAError, match="--base-url: must be"):
        at(url)
