import { randomUUID } from 'node:crypto';
import type { Clock, Ids } from '../../core/ports/clock.ts';

export const systemClock: Clock = { now: () => Date.now() };

export const randomIds: Ids = { uuid: () => randomUUID() };
