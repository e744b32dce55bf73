import * as z from 'zod/mini';

/**
 * Devices for joining a room immediately, because a button already asked for it: starting or answering a group call.
 */
export interface DirectJoinDevices {
  microphone: boolean;
  camera: boolean;
}

const place = z.object({ comesIn: z.object({ microphone: z.boolean(), camera: z.boolean() }) });

/** Reads it from a navigation's state. Returns undefined if the pre-join page is to be shown. */
export function readDirectJoinDevices(state: unknown): DirectJoinDevices | undefined {
  return place.safeParse(state).data?.comesIn;
}
