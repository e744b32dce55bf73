import { Door } from '@nolo/testing';

/** Less than a person waits, so that a dead line is noticed soon. */
const answerWithinMs = 6_000;

/** The way to one gateway, for many who share its connections. */
export const openDoor = (url: string): Door => new Door(url, { connections: 48, answerWithinMs });
