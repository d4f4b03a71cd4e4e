/** The MQTT bus over which fins, the capabilities outside the service, are reached. */

import type { FinConfig } from './config.ts';
import { anyText, flag, hostName, oneOf, path, port, wholeNumber } from './kinds.ts';
import type { Notes } from './notes.ts';
import { optional, setting, type ValuesOf } from './variable.ts';

const partOf = 'ENABLE_FINS';

export const finVariables = {
  ENABLE_FINS: setting(flag, false, 'Enable fins.', { lenient: true }),
  MQTT_BROKER: setting(hostName, 'localhost', 'Broker address for fin communication.', { partOf }),
  MQTT_PORT: optional(port, 'Broker port.', {
    partOf,
    lenient: true,
    shownDefault: '1883; 8883 with MQTT_TLS',
  }),
  MQTT_VERSION: setting(oneOf(['5', '3.1.1']), '5', 'Version of MQTT spoken to the broker.', {
    partOf,
  }),
  // Not lenient: falling back would send credentials in clear.
  MQTT_TLS: setting(flag, false, 'Speak TLS to the broker.', { partOf }),
  MQTT_CA_FILE: optional(path, 'Certificates trusted for the broker, PEM.', {
    partOf,
    shownDefault: 'those of the system',
  }),
  MQTT_USERNAME: optional(anyText, 'User at the broker.', { partOf }),
  MQTT_PASSWORD: optional(anyText, 'Password at the broker.', { partOf, secret: true }),
  MQTT_SERVICE_TOPIC: setting(anyText, 'svc', 'Topic on which fins register.', { partOf }),
  FIN_LISTENER: setting(
    oneOf(['always', 'timer']),
    'always',
    'How fins are heard: over a connection that always stands, or, where the service scales to zero, ' +
      'by a timer that fetches what the broker has kept.',
    { partOf },
  ),
  FIN_LISTEN_SECONDS: setting(
    wholeNumber(1, 300),
    5,
    'How long each tick of the timer listens. 35 hears every fin that repeats its registration, ' +
      'even if the broker keeps no messages of QoS 0.',
    { partOf },
  ),
  FIN_UNREGISTER_ON_SHUTDOWN: setting(
    flag,
    false,
    'Tell all fins to stop when the service stops.',
    { partOf, lenient: true },
  ),
};

export function finConfig(
  values: ValuesOf<typeof finVariables>,
  notes: Notes,
): FinConfig | undefined {
  if (!values.ENABLE_FINS) return undefined;
  if (/[+#\0]/.test(values.MQTT_SERVICE_TOPIC)) {
    notes.problem('MQTT_SERVICE_TOPIC', 'expected a topic without the wildcards + and #');
  }
  if (values.MQTT_PASSWORD !== undefined && values.MQTT_USERNAME === undefined) {
    notes.problem('MQTT_USERNAME', 'is missing, but MQTT_PASSWORD is set');
  }
  return {
    broker: values.MQTT_BROKER,
    port: values.MQTT_PORT ?? (values.MQTT_TLS ? 8883 : 1883),
    tls: values.MQTT_TLS ? { caFile: values.MQTT_CA_FILE } : undefined,
    credentials:
      values.MQTT_USERNAME === undefined
        ? undefined
        : { username: values.MQTT_USERNAME, password: values.MQTT_PASSWORD ?? '' },
    version: values.MQTT_VERSION,
    serviceTopic: values.MQTT_SERVICE_TOPIC,
    listener: values.FIN_LISTENER,
    listenMs: values.FIN_LISTEN_SECONDS * 1_000,
    unregisterOnShutdown: values.FIN_UNREGISTER_ON_SHUTDOWN,
  };
}
