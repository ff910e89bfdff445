"""Answers the line protocol (conformance/README.md) for msgpack of Python: the worked example of an adapter.

    node conformance/run.mjs --level accept --adapter "python3 conformance/adapters/third-party/python3-msgpack.py"

It needs the module msgpack (Debian's package python3-msgpack). With the options below the library keeps everything
apart, so the adapter offers lossless mode and nothing else.
"""

import json
import struct
import sys
import threading

import msgpack
from msgpack import ExtType, Packer, Timestamp

# --- tagged values (vectors/README.md) --------------------------------------------------------------------------------


class Pairs(list):
    """A map, as the list of its entries: its keys need not be hashable."""


def tag(value):
    """Returns the tagged value of what the library decoded."""
    if value is None:
        return {"nil": True}
    if isinstance(value, bool):
        return {"bool": value}
    if isinstance(value, int):
        return {"int": str(value)}
    if isinstance(value, float):
        return {"float": struct.pack(">d", value).hex()}
    if isinstance(value, str):
        return {"str": value}
    if isinstance(value, (bytes, bytearray)):
        return {"bin": value.hex()}
    if isinstance(value, Pairs):
        return {"map": [[tag(key), tag(item)] for key, item in value]}
    if isinstance(value, (list, tuple)) and not isinstance(value, ExtType):
        return {"array": [tag(item) for item in value]}
    if isinstance(value, Timestamp):
        return {"timestamp": [str(value.seconds), value.nanoseconds]}
    return {"ext": [value.code, value.data.hex()]}


def write(packer, tagged):
    """Returns the bytes of a tagged value. Heads of arrays and maps are written by themselves, to keep the order."""
    ((kind, content),) = tagged.items()
    if kind == "array":
        return packer.pack_array_header(len(content)) + b"".join(write(packer, item) for item in content)
    if kind == "map":
        entries = b"".join(write(packer, key) + write(packer, item) for key, item in content)
        return packer.pack_map_header(len(content)) + entries
    return packer.pack(host(kind, content))


def host(kind, content):
    """Returns the Python value of a tagged value that is neither array nor map."""
    if kind in ("nil", "undefined"):
        return None if kind == "nil" else ExtType(0, b"\0")
    if kind in ("bool", "str"):
        return content
    if kind == "int":
        return int(content)
    if kind == "float":
        return struct.unpack(">d", bytes.fromhex(content))[0]
    if kind == "bin":
        return bytes.fromhex(content)
    if kind == "timestamp":
        return Timestamp(int(content[0]), content[1])
    return ExtType(content[0], bytes.fromhex(content[1]))


# --- operations -------------------------------------------------------------------------------------------------------

OPTIONS = {"raw": False, "timestamp": 0, "strict_map_key": False, "object_pairs_hook": Pairs}


def decode(request):
    return {"value": tag(msgpack.unpackb(bytes.fromhex(request["bytes"]), **OPTIONS))}


def encode(request):
    return {"bytes": write(Packer(), request["value"]).hex()}


def transcode(request):
    return {"bytes": write(Packer(), decode(request)["value"]).hex()}


def stream(request):
    unpacker = msgpack.Unpacker(**OPTIONS)
    values, fed = [], 0
    try:
        for chunk in map(bytes.fromhex, request["chunks"]):
            unpacker.feed(chunk)
            fed += len(chunk)
            values.extend(tag(value) for value in unpacker)
    except Exception as fault:  # whatever a library throws is an error of the data
        return {"values": values, "error": error_of(fault)}
    isWhole = unpacker.tell() == fed
    return {"values": values, "error": None if isWhole else {"code": "unexpected_end", "offset": None, "path": ""}}


def error_of(fault):
    """Returns the error as far as the library tells it: it has no offsets and no paths."""
    text = str(fault)
    codes = {
        msgpack.ExtraData: "trailing_data",
        msgpack.FormatError: "reserved_byte",
        msgpack.StackError: "limit_exceeded",
        UnicodeDecodeError: "invalid_utf8",
        RecursionError: "limit_exceeded",
    }
    code = next((code for kind, code in codes.items() if isinstance(fault, kind)), None)
    if code is None:
        code = "unexpected_end" if "incomplete" in text else "invalid_timestamp" if "imestamp" in text else "refused"
    return {"code": code, "offset": None, "path": ""}


OPERATIONS = {"decode": decode, "encode": encode, "transcode": transcode, "stream": stream}
HELLO = {
    "name": "python3-msgpack",
    "version": ".".join(map(str, msgpack.version[:3])),
    "language": "python",
    "ops": list(OPERATIONS),
    "modes": ["lossless"],
}

# --- the loop ---------------------------------------------------------------------------------------------------------


def answer(request):
    if request["op"] == "hello":
        return HELLO
    if request["op"] not in OPERATIONS:
        return {"unsupported": f"no operation {request['op']}"}
    try:
        return OPERATIONS[request["op"]](request)
    except Exception as fault:  # whatever a library throws is an error of the data
        return {"error": error_of(fault)}


def main():
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps({"id": request["id"], **answer(request)}), flush=True)


# Values nest deeper than Python's own stack allows: 512 containers are over 1,500 levels of JSON.
sys.setrecursionlimit(20_000)
threading.stack_size(256 << 20)
thread = threading.Thread(target=main)
thread.start()
thread.join()
