import { defineQueue } from '@nolo/kit/jobs';
import { z } from 'zod';

/** Time after which a silent worker loses its jobs. */
export const jobHoldMs = 1_000;

export const interruptibleQueue = defineQueue({ name: 'interruptible', payload: z.object({ blocks: z.boolean() }) });
export const unrepeatableQueue = defineQueue({ name: 'unrepeatable', payload: z.object({}), whenInterrupted: 'park' });
