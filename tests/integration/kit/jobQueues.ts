import { defineQueue } from '@nolo/kit/jobs';
import { z } from 'zod';

/** Time after which a silent worker loses its jobs. */
export const holdMs = 1_000;

export const interruptible = defineQueue({ name: 'interruptible', payload: z.object({ blocks: z.boolean() }) });
export const unrepeatable = defineQueue({ name: 'unrepeatable', payload: z.object({}), whenInterrupted: 'park' });
