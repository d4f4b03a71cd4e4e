/**
 * The tables of the durable database. Each entry is one migration; a database remembers in
 * `user_version` how many it has had. Append, never edit.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE instances (
    id TEXT NOT NULL UNIQUE,
    execution TEXT NOT NULL,
    name TEXT NOT NULL,
    version TEXT,
    status TEXT NOT NULL,
    input TEXT,
    output TEXT,
    custom_status TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    parent TEXT
  );
  CREATE INDEX instances_by_creation ON instances (created_at, id);

  -- One row per episode of the current generation: a JSON array of events.
  CREATE TABLE history (
    instance TEXT NOT NULL,
    episode INTEGER NOT NULL,
    events TEXT NOT NULL,
    PRIMARY KEY (instance, episode)
  ) WITHOUT ROWID;

  -- Messages not consumed yet. Without execution: for whichever generation is current.
  CREATE TABLE inbox (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    instance TEXT NOT NULL,
    execution TEXT,
    -- 0 for the start of a generation, which comes before events that were there earlier.
    rank INTEGER NOT NULL,
    message TEXT NOT NULL
  );
  CREATE INDEX inbox_in_order ON inbox (instance, rank, number);

  -- Activities whose completion is not recorded yet.
  CREATE TABLE work (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    instance TEXT NOT NULL,
    execution TEXT NOT NULL,
    task INTEGER NOT NULL,
    name TEXT NOT NULL,
    input TEXT NOT NULL
  );
  CREATE INDEX work_by_instance ON work (instance);

  CREATE TABLE timers (
    instance TEXT NOT NULL,
    task INTEGER NOT NULL,
    execution TEXT NOT NULL,
    fire_at INTEGER NOT NULL,
    PRIMARY KEY (instance, task)
  ) WITHOUT ROWID;
  CREATE INDEX timers_by_time ON timers (fire_at);
  `,
];
