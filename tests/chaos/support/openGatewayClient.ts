import { GatewayClient } from '@nolo/testing';

/** Shorter than a person waits, so that a dead connection is noticed soon. */
const answerWithinMs = 6_000;

/** Opens shared connections to one gateway for many clients. */
export const openGatewayClient = (url: string): GatewayClient =>
  new GatewayClient(url, { connections: 48, answerWithinMs });
