import * as z from 'zod/mini';

/** With which devices somebody enters a room at once, because a button already said so: a group's call is started or answered. */
export interface ComesIn {
  microphone: boolean;
  camera: boolean;
}

const place = z.object({ comesIn: z.object({ microphone: z.boolean(), camera: z.boolean() }) });

/** Reads it from the state of a navigation; undefined where the screen before the room is to be shown. */
export function comesInFrom(state: unknown): ComesIn | undefined {
  return place.safeParse(state).data?.comesIn;
}
