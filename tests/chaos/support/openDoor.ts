import { Door } from '@nolo/testing';

/** Shorter than a person waits, so that a dead connection is noticed soon. */
const answerWithinMs = 6_000;

/** Opens shared connections to one gateway for many clients. */
export const openDoor = (url: string): Door => new Door(url, { connections: 48, answerWithinMs });
