import { commonConfig, eventLogConfig, createHostPortSchema, createSecretSchema } from '@nolo/kit/config';
import { limits, planIds } from '@nolo/rules';
import { z } from 'zod';

const wholeNumber = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

const addresses = () =>
  z
    .string()
    .transform((value) => value.split(/[\s,]+/).filter((one) => one !== ''))
    .refine(
      (urls) => urls.every((url) => /^(stun|stuns|turn|turns):\S+$/.test(url)),
      'must list addresses that begin with stun:, turn: or turns:, separated by commas',
    );

/** Keys are names of environment variables. A test compares them with `.env.example`. */
export const configSchema = z
  .object({
    ...commonConfig,
    ...eventLogConfig,
    IDENTITY_ADDR: createHostPortSchema().describe('Address of the identity service, as host:port.'),
    CHAT_ADDR: createHostPortSchema().describe('Address of the chat service, as host:port.'),
    BILLING_ADDR: createHostPortSchema()
      .optional()
      .describe('Address of the billing service, if any, as host:port; it knows what the plan of a host allows.'),
    ICE_URLS: addresses()
      .optional()
      .describe('STUN and TURN servers for browsers, separated by commas; none unless set.'),
    TURN_SECRET: createSecretSchema(16)
      .optional()
      .describe("The TURN server's static-auth-secret, from which short-lived credentials are derived."),
    CALLS_KEPT_DAYS: wholeNumber(1, 36_500)
      .default(365)
      .describe("Days until a call is removed from its participants' call lists."),
    MEETINGS_KEPT_DAYS: wholeNumber(1, 36_500)
      .default(365)
      .describe('Days until a completed or cancelled meeting is deleted.'),
    MEETING_PLAN: z
      .enum(planIds)
      .default('business')
      .describe('Plan whose limits apply to calls and meetings without billing: free, plus or business.'),
    MEETING_MINUTES: wholeNumber(0, limits.meetingMinutesMax)
      .optional()
      .describe(
        'Minutes after which a meeting of three or more people ends, overriding the plans; participants are always warned first.',
      ),
    MEETING_WARNING_SECONDS: wholeNumber(1, 3_600)
      .default(limits.meetingWarningMinutes * 60)
      .describe(
        "Seconds between the warning and the end of a meeting of three or more people when its plan's time runs out.",
      ),
    // Clients query by themselves after waiting slightly longer than the maximum.
    CALL_RING_SECONDS: wholeNumber(1, limits.callRingMs / 1000)
      .default(limits.callRingMs / 1000)
      .describe('Seconds until an unanswered call is missed, at most 45.'),
    MEDIA_SILENT_MS: wholeNumber(300, 60_000)
      .default(1_500)
      .describe('Milliseconds after which a silent media node is considered dead; several times MEDIA_HEARTBEAT_MS.'),
    ROOM_NODE_PEERS: z.coerce
      .number()
      .int()
      .min(1)
      .max(500)
      .default(60)
      .describe('Participants of one room that one media node carries before another one joins in.'),
  })
  .superRefine(({ ICE_URLS, TURN_SECRET }, context) => {
    if (TURN_SECRET === undefined && ICE_URLS?.some((url) => url.startsWith('turn')) === true) {
      context.addIssue({
        code: 'custom',
        path: ['TURN_SECRET'],
        message: 'must be set if ICE_URLS names a TURN server',
      });
    }
  });

export type MeetingsConfig = Readonly<z.output<typeof configSchema>>;
