import { commonConfig, listen, secret } from '@nolo/kit/config';
import { planIds } from '@nolo/rules';
import { z } from 'zod';

const addresses = () =>
  z
    .string()
    .transform((value) => value.split(/[\s,]+/).filter((one) => one !== ''))
    .refine(
      (urls) => urls.every((url) => /^(stun|stuns|turn|turns):\S+$/.test(url)),
      'must list addresses that begin with stun:, turn: or turns:, separated by commas',
    );

/** Keyed by the names in the environment; `.env.example` is held against it by a test. */
export const configSchema = z
  .object({
    ...commonConfig,
    DATABASE_POOL_MAX: z.coerce
      .number()
      .int()
      .min(2)
      .max(100)
      .default(10)
      .describe('Connections to PostgreSQL that one process of a service keeps at most.'),
    CHAT_ADDR: listen().describe('Where the chat service takes calls, as host:port.'),
    ICE_URLS: addresses()
      .optional()
      .describe('STUN and TURN servers that browsers are told of, separated by commas; none unless set.'),
    TURN_SECRET: secret(16)
      .optional()
      .describe("The TURN server's static-auth-secret, from which credentials of limited life are made."),
    MEETING_PLAN: z
      .enum(planIds)
      .default('business')
      .describe('Whose limits hold for calls and meetings while plans are not sold: free, plus or business.'),
    ROOM_NODE_PEERS: z.coerce
      .number()
      .int()
      .min(1)
      .max(500)
      .default(60)
      .describe('People of one room whom one media node carries before another joins in.'),
  })
  .superRefine(({ ICE_URLS, TURN_SECRET }, context) => {
    if (TURN_SECRET === undefined && ICE_URLS?.some((url) => url.startsWith('turn')) === true) {
      context.addIssue({
        code: 'custom',
        path: ['TURN_SECRET'],
        message: 'must be set where ICE_URLS names a TURN server',
      });
    }
  });

export type MeetingsConfig = Readonly<z.output<typeof configSchema>>;
