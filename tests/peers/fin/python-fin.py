"""A fin in Python, with the client and the models that fins in Python use.

It registers, carries out commands by echoing their variables, and prints one JSON line for each message
it hears: the bytes as text, what its model makes of them, and the error if the model refuses them. A
message a model refuses is not answered: in such a fin the thread that reads it has ended.

Arguments: port, service topic, fin id, capability id.
"""

import json
import sys
import uuid
from datetime import datetime, timezone
from enum import Enum
from typing import Dict, Optional

import paho.mqtt.client as mqtt
from paho.mqtt.subscribeoptions import SubscribeOptions
from pydantic import BaseModel, StrictBool, StrictInt, StrictStr

PORT, SERVICE, FIN, CAPABILITY = int(sys.argv[1]), *sys.argv[2:5]


class VariableType(str, Enum):
    bool_ = "bool"
    dictionary = "dictionary"
    float_ = "float"
    hexstring = "hexstring"
    integer = "integer"
    ipv4 = "ipv4-addr"
    ipv6 = "ipv6-addr"
    long = "long"
    mac = "mac-addr"
    hash_ = "hash"
    md5 = "md5-hash"
    sha256 = "sha256-hash"
    string = "string"
    uri = "uri"
    uuid = "uuid"


class AuthenticationType(str, Enum):
    basic = "http-basic"
    oauth2 = "oauth2"
    user = "user-auth"


class Variable(BaseModel):
    type: VariableType
    name: StrictStr
    description: StrictStr
    value: StrictStr
    constant: StrictBool
    external: StrictBool


class Authentication(BaseModel):
    id: StrictStr
    type: AuthenticationType
    name: Optional[StrictStr] = None
    description: Optional[StrictStr] = None
    username: Optional[StrictStr] = None
    user_id: Optional[StrictStr] = None
    password: Optional[StrictStr] = None
    token: Optional[StrictStr] = None
    oauth_header: Optional[StrictStr] = None
    kms: Optional[StrictBool] = None
    kms_key_identifier: Optional[StrictStr] = None


class Context(BaseModel):
    generated_on: Optional[datetime] = None
    completed_on: Optional[datetime] = None
    timeout: Optional[StrictInt] = None
    step_id: StrictStr
    playbook_id: StrictStr
    execution_id: StrictStr


class Body(BaseModel):
    command: StrictStr
    authentication: Optional[Authentication] = None
    context: Context
    variables: Optional[Dict[str, Variable]] = None


class Meta(BaseModel):
    timestamp: datetime
    sender_id: StrictStr


class Command(BaseModel):
    type: StrictStr
    message_id: uuid.UUID
    command: Body
    meta: Meta


class Answer(BaseModel):
    type: StrictStr
    message_id: uuid.UUID


class Order(Answer):
    capability_id: StrictStr


class Unregister(Answer):
    capability_id: Optional[StrictStr] = None
    fin_id: Optional[StrictStr] = None
    all: StrictBool


MODELS = {
    "ack": Answer,
    "nack": Answer,
    "command": Command,
    "unregister": Unregister,
    "pause": Order,
    "resume": Order,
    "stop": Order,
    "progress": Order,
}


def now():
    return datetime.now(timezone.utc).isoformat()


def send(topic, message):
    client.publish(topic, json.dumps(message), qos=0)


def heard(_client, _data, message):
    raw = message.payload.decode()
    line = {"topic": message.topic, "raw": raw}
    try:
        parsed = MODELS[json.loads(raw)["type"]].parse_raw(raw)
        line["model"] = json.loads(parsed.json())
        answer(message.topic, parsed)
    except Exception as error:  # pylint: disable=broad-except
        line["error"] = str(error)
    print(json.dumps(line), flush=True)


def answer(topic, message):
    if topic == CAPABILITY and message.type == "command":
        send(CAPABILITY, {"type": "ack", "message_id": str(message.message_id)})
        context = json.loads(message.command.context.json())
        variables = json.loads(message.command.json())["variables"]
        send(
            CAPABILITY,
            {
                "type": "result",
                "message_id": str(uuid.uuid1()),
                "result": {"state": "success", "context": context, "variables": variables},
                "meta": {"timestamp": now(), "sender_id": CAPABILITY},
            },
        )
    elif topic == SERVICE and message.type == "unregister":
        send(SERVICE, {"type": "ack", "message_id": str(message.message_id)})


def register():
    reference = {"name": "rfc1035", "description": None, "source": None, "url": None}
    step = {
        "type": "action",
        "name": "resolve",
        "description": "A record",
        "external_references": [reference],
        "command": "resolve example.org",
        "target": "net-address--1",
    }
    capability = {
        "capability_id": CAPABILITY,
        "type": "action",
        "name": "DNS lookup",
        "version": "1.2.0",
        "step": {"example": step},
        "agent": {"a1": {"type": "svc-fin", "name": "agent of " + FIN}},
    }
    send(
        SERVICE,
        {
            "type": "register",
            "message_id": str(uuid.uuid1()),
            "fin_id": FIN,
            "protocol_version": "0.0.1",
            "security": {"version": "0.0.1", "channel_security": "plaintext"},
            "capabilities": [capability],
            "meta": {"timestamp": now(), "sender_id": FIN},
        },
    )


subscribed = []


def on_subscribed(*_arguments):
    subscribed.append(True)
    if len(subscribed) == 3:
        register()


if hasattr(mqtt, "CallbackAPIVersion"):
    client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION1, protocol=mqtt.MQTTv5)
else:
    client = mqtt.Client(protocol=mqtt.MQTTv5)
client.on_message = heard
client.on_subscribe = on_subscribed
client.connect("127.0.0.1", PORT)
for own in (CAPABILITY, SERVICE, FIN):
    client.subscribe(own, options=SubscribeOptions(qos=1, noLocal=True))
client.loop_forever()
