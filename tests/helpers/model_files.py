"""GGUF files without weights, and a llama.cpp whose server answers by script."""

import struct
import textwrap
from pathlib import Path

CHAT = {"general.architecture": "toy", "general.file_type": 15, "toy.context_length": 4096, "toy.block_count": 2}
TEMPLATE = {"tokenizer.chat_template": "{{ messages }}"}


def gguf(path: Path, values: dict | None = None, *, tokens: int = 3) -> Path:
    """Writes a GGUF header with these values and a list of tokens before the last one."""
    told = CHAT | TEMPLATE if values is None else values
    path.parent.mkdir(parents=True, exist_ok=True)
    listed = text("tokenizer.ggml.tokens") + struct.pack("<IIQ", 9, 8, tokens) + text("word") * tokens
    entries = [text(name) + typed(value) for name, value in told.items()]
    body = b"".join([*entries[:-1], listed, *entries[-1:]])
    path.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, 0, len(told) + 1) + body)
    return path


def text(words: str) -> bytes:
    return struct.pack("<Q", len(words.encode())) + words.encode()


def typed(value: object) -> bytes:
    return struct.pack("<I", 8) + text(value) if isinstance(value, str) else struct.pack("<II", 4, value)


SCRIPTED = """
import json, os, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

class CommonParams(SimpleNamespace):
    def __init__(self):
        super().__init__(model=SimpleNamespace(), cpuparams=SimpleNamespace(), cpuparams_batch=SimpleNamespace())

class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        known = self.headers["Authorization"] == f"Bearer {self.server.key}"
        schema = asked["response_format"]["json_schema"]["schema"]["properties"]
        answer = json.dumps({name: value["enum"][0] for name, value in schema.items()})
        choice = {"message": {"role": "assistant", "content": answer}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "prompt_tokens_details": {"cached_tokens": 90}}
        body = json.dumps({"choices": [choice], "usage": usage} if known else {"error": {"message": "no key"}}).encode()
        self.send_response(200 if known else 401)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass

class Server:
    def __init__(self, params):
        open(os.environ["STARTED"], "a").write(f"{os.getpid()}\\n")
        said = os.environ.get("SAID")
        if said:
            print(f"0.00.1 E {said}", flush=True)
            raise RuntimeError("Failed to init server, please check the input params.")
        print("....", end="", flush=True)  # how far it is, in a line that is not ended
        time.sleep(float(os.environ.get("LOADS", "0")))
        server = ThreadingHTTPServer((params.hostnames[0], params.port), Handler)
        server.key = params.api_keys[0]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.listening_address = f"http://127.0.0.1:{server.server_address[1]}"
"""


def scripted_llama(folder: Path, monkeypatch) -> Path:
    """Puts the server where this process and its children import it; returns the file with their numbers."""
    (folder / "xllamacpp.py").write_text(textwrap.dedent(SCRIPTED))
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.setenv("STARTED", str(folder / "started"))
    return folder / "started"
