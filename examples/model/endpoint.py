"""A stand-in for a language model: an endpoint on this machine, as OpenAI has it, for as long as a command runs.

python examples/model/endpoint.py bash examples/model/ask_a_model.sh stand-in results/stand-in

The command finds its address in OPENAI_BASE_URL. It answers with the first valid action that has one of its words.
"""

import json
import os
import re
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

VALID = re.compile(r"VALID ACTIONS -> (.+)")
WORDS = ("DELIVER", "PLATE", "PUT", "CUT", "GRAB")


def answer_to(question: str) -> str:
    """Returns a plan for a question that lists the valid actions as "8:GRAB_MEAT; …"; without one it waits."""
    listed = VALID.search(question)
    actions = listed.group(1).split("; ") if listed else []
    wanted = (action for word in WORDS for action in actions if word in action)
    return f'Plan: "{next(wanted, "4:STAY")}"'


class Answering(BaseHTTPRequestHandler):
    """Answers a request for a chat completion."""

    protocol_version = "HTTP/1.1"  # a connection stays open for the next request

    def do_POST(self) -> None:
        """Sends the answer, with what it would have used."""
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        messages = request["messages"]
        answer = answer_to(messages[-1]["content"])
        sent = sum(len(message["content"]) // 4 for message in messages)
        received = len(answer) // 4
        usage = {"prompt_tokens": sent, "completion_tokens": received, "total_tokens": sent + received}
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": answer}}
        completion = {"id": "1", "object": "chat.completion", "choices": [choice], "usage": usage}
        body = json.dumps(completion).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Logs nothing: the command says what it does."""


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_address[1]}/v1"
    done = subprocess.run(sys.argv[1:], env=os.environ | {"OPENAI_BASE_URL": address}, check=False)
    server.shutdown()
    sys.exit(done.returncode)
