import { createTimers } from '@nolo/client/clock/timers';
import { serverClock } from './serverClock.ts';

export const browserTimers = createTimers(serverClock);
