/**
 * The configuration as the product sees it: parsed once at start, frozen, grouped by who needs it.
 * An optional part that is not in use is undefined, so nobody can read half of it.
 */

import type { LogLevel } from '../ports/log.ts';

export type Config = {
  readonly http: HttpConfig;
  /** Undefined while AUTH_ENABLED is false: then everybody may do everything. */
  readonly access: AccessConfig | undefined;
  readonly store: StoreConfig;
  readonly execution: ExecutionConfig;
  /** Undefined while signatures of playbooks are not looked at. */
  readonly signatures: SignatureConfig | undefined;
  readonly validation: { readonly schemaUrl: string | undefined };
  readonly capabilities: CapabilityConfig;
  readonly fins: FinConfig | undefined;
  readonly reporting: ReportingConfig;
  readonly egress: EgressConfig;
  readonly secretReferences: SecretConfig;
  readonly log: LogConfig;
  /** Application Insights connection string. */
  readonly telemetry: { readonly connectionString: string } | undefined;
  /** Every secret that was set, for the redactor. */
  readonly secrets: readonly string[];
  /** To be logged once at start: values that were corrected, and defaults that are not safe. */
  readonly warnings: readonly ConfigWarning[];
};

export type ConfigWarning = { readonly variable: string; readonly text: string };

export type HttpConfig = {
  readonly port: number;
  /** Address the embedded host listens on; undefined means every address of the machine. */
  readonly listenAddress: string | undefined;
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined;
  readonly allowedOrigins: 'any' | readonly string[];
  readonly frameworkMode: 'debug' | 'release' | 'test';
  readonly maxBodyBytes: number;
  /** Per caller and instance; 0 means no limit. */
  readonly rateLimitPerMinute: number;
  /** How long a trigger call may wait for the end of its run; undefined means as long as it takes. */
  readonly triggerMaxWaitMs: number | undefined;
};

/** One mode or both; with both, the issuer of a token decides which one checks it. */
export type AccessConfig = {
  readonly group: GroupAccessConfig | undefined;
  readonly appRole: AppRoleAccessConfig | undefined;
};

export type GroupAccessConfig = {
  readonly issuer: string;
  readonly clientId: string;
  readonly group: string;
  readonly groupsClaim: string;
  readonly skipTlsVerify: boolean;
};

export type AppRoleAccessConfig = {
  readonly tenantIds: readonly string[];
  readonly clientId: string;
  readonly appIdUri: string | undefined;
  readonly acceptV1: boolean;
  /** Undefined means any client. */
  readonly allowedClientIds: readonly string[] | undefined;
  /** Without trailing slash. */
  readonly loginUrl: string;
};

export type StoreConfig =
  | { readonly kind: 'sqlite'; readonly directory: string }
  | {
      readonly kind: 'mongo';
      readonly uri: string;
      readonly database: string;
      /** Undefined when the URI holds credentials or none are wanted. */
      readonly credentials: { readonly username: string; readonly password: string } | undefined;
    }
  | {
      readonly kind: 'cosmos';
      readonly endpoint: string;
      readonly database: string;
      /** Undefined means the managed identity of the host. */
      readonly key: string | undefined;
    };

export type ExecutionConfig = {
  /** Runs kept, running ones included. */
  readonly maxExecutions: number;
  readonly parallelBranches: 'sequential' | 'concurrent';
  /** Limit of an action step that names none; manual steps have their own. */
  readonly stepTimeoutMs: number;
  readonly maxLoopIterations: number;
  readonly maxPlaybookDepth: number;
};

export type SignatureConfig = {
  readonly policy: 'warn' | 'require';
  /** A JSON web key set or the path of a file with one. Undefined means that no signature is trusted. */
  readonly trustedKeys: string | undefined;
};

export type CapabilityConfig = {
  /** Prefixes of agent names that mean this service: `svc` makes `svc-ssh` the ssh capability. */
  readonly agentPrefixes: readonly string[];
  readonly skipCertValidation: boolean;
  readonly ssh: {
    readonly hostKeyPolicy: 'first-use' | 'strict' | 'off';
    readonly knownHostsFile: string;
    readonly keys:
      | { readonly directory: string; readonly passphrase: string | undefined }
      | undefined;
  };
  readonly caldera: { readonly url: string; readonly apiKey: string } | undefined;
};

export type FinConfig = {
  readonly broker: string;
  readonly port: number;
  readonly tls: { readonly caFile: string | undefined } | undefined;
  readonly credentials: { readonly username: string; readonly password: string } | undefined;
  /** Of MQTT. */
  readonly version: '5' | '3.1.1';
  readonly serviceTopic: string;
  readonly listener: 'always' | 'timer';
  /** How long one tick of the timer listens. */
  readonly listenMs: number;
  readonly unregisterOnShutdown: boolean;
};

export type ReportingConfig = {
  readonly maxReporters: number;
  readonly caseManagement:
    | {
        /** Ends in `/api/v1`. */
        readonly baseUrl: string;
        readonly token: string;
        readonly skipTlsVerify: boolean;
        readonly correlate: boolean;
        /** Login that automated tasks are assigned to; undefined assigns them to nobody. */
        readonly assignee: string | undefined;
      }
    | undefined;
  readonly webhook: WebhookConfig | undefined;
  /** Is told of manual commands. */
  readonly manualWebhook: WebhookConfig | undefined;
};

/** `secret` signs the bodies; undefined sends them unsigned. */
export type WebhookConfig = { readonly url: string; readonly secret: string | undefined };

/** Entries are host names, `*.domain`, addresses and CIDR blocks, in lower case. */
export type EgressConfig = {
  /** Undefined means everywhere. */
  readonly allow: readonly string[] | undefined;
  readonly deny: readonly string[];
};

/** What playbooks may refer to instead of holding secrets. */
export type SecretConfig = {
  readonly environmentPrefix: string;
  /** The variables whose names begin with the prefix. */
  readonly environment: { readonly [name: string]: string };
  /** Without trailing slash; undefined means that there is none. */
  readonly keyVaultUrl: string | undefined;
};

export type LogConfig = {
  readonly mode: 'development' | 'production';
  readonly level: LogLevel;
  readonly format: 'json' | 'text';
  /** Undefined means standard output. */
  readonly filePath: string | undefined;
  readonly playbookApiLevel: LogLevel;
};
