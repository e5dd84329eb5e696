#!/usr/bin/env python3
"""Serves one GGUF model on 127.0.0.1, in the OpenAI wire format, until the parent process is gone.

The work is done by llama.cpp's server, which the xllamacpp wheel runs inside this process.
"""

import argparse
import os
import signal
import time

import xllamacpp

# Room for a conversation, and a second place for a request beside it (the chat may take notes meanwhile):
# with one place, each of the two would throw away the other's prompt cache.
PLACES = 2
TOKENS_PER_PLACE = 8192
# Speed is bound by memory beyond a few cores, and the machine has other things to do.
MOST_THREADS = 8


def usable_cores():
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS
        return os.cpu_count() or 2


def start(options):
    params = xllamacpp.CommonParams()
    params.model.path = options.model
    params.model_alias = {options.name}
    params.hostnames = ["127.0.0.1"]
    params.port = 0  # the system picks a free one
    params.offline = True
    params.n_parallel = PLACES
    params.n_ctx = PLACES * TOKENS_PER_PLACE
    threads = min(usable_cores(), MOST_THREADS)
    params.cpuparams.n_threads = threads
    params.cpuparams_batch.n_threads = threads
    # The model's own template does not make it call tools in a form the server recognises; this one does.
    params.use_jinja = True
    with open(options.template, encoding="utf-8") as template:
        params.chat_template = template.read()
    return xllamacpp.Server(params)


def announce(address, ready_file):
    with open(ready_file + ".tmp", "w", encoding="utf-8") as out:
        out.write(address + "\n")
    os.replace(ready_file + ".tmp", ready_file)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", required=True)
    parser.add_argument("--name", required=True, help="what the API calls the model")
    parser.add_argument("--template", required=True)
    parser.add_argument("--ready-file", required=True, help="gets the address once the model is loaded")
    parser.add_argument("--parent", required=True, type=int, help="stop when this process is gone")
    options = parser.parse_args()

    # Ctrl-C in the terminal is meant for the chat. SIGTERM keeps its default: it ends this process at once.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.setsid()

    server = start(options)
    announce(server.listening_address, options.ready_file)
    # try-local stops the server itself; this is for the day it is killed with SIGKILL.
    while os.getppid() == options.parent:
        time.sleep(1)
    os._exit(0)


if __name__ == "__main__":
    main()
