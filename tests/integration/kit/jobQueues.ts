import { defineQueue } from '@nolo/kit/jobs';
import { z } from 'zod';

/** How long a worker may say nothing. */
export const holdMs = 1_000;
/** How long a process is blocked that is to be taken for dead. */
export const blockedMs = 4_000;

export const interruptible = defineQueue({ name: 'interruptible', payload: z.object({ blocks: z.boolean() }) });
export const unrepeatable = defineQueue({ name: 'unrepeatable', payload: z.object({}), whenInterrupted: 'park' });
