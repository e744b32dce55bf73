import type { Bus } from '@nolo/kit/bus';
import { checkBus, connectBus } from '@nolo/kit/bus';
import { systemClock, type Clock } from '@nolo/kit/clock';
import type { Listen, Secret } from '@nolo/kit/config';
import { checkDb, createDb, type Knex } from '@nolo/kit/db';
import { isAppError } from '@nolo/kit/errors';
import { createDelivery, createDispatch, createLeaseReader } from '@nolo/kit/delivery';
import { createEventLog } from '@nolo/kit/events';
import { createStopStack } from '@nolo/kit/lifecycle';
import { createLog, type Log } from '@nolo/kit/log';
import { createRelay } from '@nolo/kit/outbox';
import { createLimiter } from '@nolo/kit/rateLimit';
import { checkRedis, closeRedis, connectRedis, type Redis } from '@nolo/kit/redis';
import { createRepeats, type Repeating } from '@nolo/kit/repeat';
import { rpcService, serveRpc } from '@nolo/kit/rpc';
import { checkAll, createRegistry, serveMetrics, type Registry } from '@nolo/kit/telemetry';
import { EventLogServiceService } from '@nolo/proto/events';
import { IdentityServiceService } from '@nolo/proto/identity';
import { SecurityServiceService } from '@nolo/proto/security';
import { demoRateLimits, limits, rateLimits, type RateLimit, type RateLimitName } from '@nolo/rules';
import { demoCode, type IdentityConfig } from './config.ts';
import { createAnnouncements, paceMs } from './domain/announcements.ts';
import { createChallenges } from './domain/challenges.ts';
import { createCodes } from './domain/codes.ts';
import { countryOf } from './domain/phoneNumbers.ts';
import { createPersonViews } from './domain/personViews.ts';
import type { Frames, SmsSender } from './domain/ports.ts';
import type { MailSender } from './domain/securityPorts.ts';
import { createSessionCheck } from './domain/sessionCheck.ts';
import { createVerification } from './domain/verification.ts';
import { sendMails } from './jobs/sendMails.ts';
import { sweepExpired } from './jobs/sweepExpired.ts';
import { sweepLeases } from './jobs/sweepLeases.ts';
import { createMail } from './mail/createMail.ts';
import { createMetrics } from './metrics.ts';
import type { RpcDeps } from './rpc/deps.ts';
import { createHandlers, createSecurityHandlers } from './rpc/handlers.ts';
import { createAccounts } from './store/accounts.ts';
import { createBlocks } from './store/blocks.ts';
import { createContacts } from './store/contacts.ts';
import { createDueUsers } from './store/dueUsers.ts';
import { createIdentities } from './store/identities.ts';
import { createMails } from './store/mails.ts';
import { createPeople } from './store/people.ts';
import { createProofs } from './store/proofs.ts';
import { createSecurityNotices } from './store/securityNotices.ts';
import { createSessionCache } from './store/sessionCache.ts';
import { createSessions } from './store/sessions.ts';
import { createSignIns } from './store/signIns.ts';
import { createVerificationCodes } from './store/verificationCodes.ts';
import { schemaName } from './migrate.ts';
import { createSms } from './sms/createSms.ts';

/** No longer than between a word of somebody's changes and the next, so that each is known of before its time. */
const departuresEveryMs = paceMs;
const leasesEveryMs = 5000;
const expiredEveryMs = 600_000;
/** Of mails that this replica did not write itself. */
const mailsEveryMs = 10_000;

export interface AppDeps {
  db: Knex;
  redis: Redis;
  bus: Bus;
  sms: SmsSender;
  /** Undefined where no mail is sent. */
  mail: MailSender | undefined;
  clock: Clock;
  /** For tests, in place of the clock of Redis. */
  leaseClock?: Clock | undefined;
  /** For tests whose clock jumps: no task that repeats waits longer. */
  longestPauseMs?: number | undefined;
  log: Log;
  registry: Registry;
  rpcListen: Listen;
  rpcSecret: Secret;
  codePepper: Secret;
  /** How long events are kept for services that have not read them. */
  eventsKeptDays: number;
  /** Signs in everyone; demo mode only. */
  demoCode: string | undefined;
  /** Demo mode's relaxed limits instead of the ordinary ones. */
  relaxedLimits: boolean;
  /** Budgets of the operator's, in place of those of the table. */
  textMessages: { perDay: number | undefined; perCountryDay: number | undefined };
}

export interface App {
  start(): Promise<{ port: number }>;
  /** Idempotent. */
  stop(): Promise<void>;
}

/** The table of limits, with what the operator set of it. */
function limitsFor({ relaxedLimits, textMessages }: AppDeps): Record<RateLimitName, RateLimit> {
  const table: Record<RateLimitName, RateLimit> = relaxedLimits ? { ...rateLimits, ...demoRateLimits } : rateLimits;
  const budget = (usual: RateLimit, points: number | undefined) => ({ ...usual, points: points ?? usual.points });
  return {
    ...table,
    textMessagesPerDay: budget(table.textMessagesPerDay, textMessages.perDay),
    textMessagesPerCountryDay: budget(table.textMessagesPerCountryDay, textMessages.perCountryDay),
  };
}

/** Puts the service together. Nothing runs until start(). */
export function createApp(deps: AppDeps): App {
  const { db, redis, bus, clock, log } = deps;
  const table = limitsFor(deps);
  const limiter = createLimiter({ redis, table });
  const metrics = createMetrics(deps.registry, table.textMessagesPerDay.points);
  const delivery = createDelivery({ redis, bus, log, clock: deps.leaseClock });
  const relay = createRelay({ db, dispatch: createDispatch({ bus, delivery }), log, metrics: deps.registry });
  const repeats = createRepeats({ redis, service: schemaName, clock, log, longestMs: deps.longestPauseMs });
  const mails = createMails(db);
  let mailing: Repeating | undefined;
  const events = createEventLog({
    db,
    source: schemaName,
    bus,
    log,
    metrics: deps.registry,
    keptDays: deps.eventsKeptDays,
  });
  const wake = () => {
    relay.wake();
    events.wake();
  };
  /** After what may also write a mail. */
  const wakeMails = () => {
    wake();
    mailing?.at(clock.now());
  };

  const accounts = createAccounts(db, wakeMails);
  const people = createPeople(db);
  const sessions = createSessions(db, wakeMails);
  const sessionCache = createSessionCache(redis, log);
  const verificationCodes = createVerificationCodes(db);
  const departures = createDueUsers(redis, 'presence:departures');
  const connections = createLeaseReader({ redis, clock: deps.leaseClock });
  const frames: Frames = { send: (recipients, frame) => delivery.deliverLoosely({ recipients, frame }) };
  const codes = createCodes({
    pepper: deps.codePepper.reveal(),
    digits: limits.verificationCodeDigits,
    fixedCode: deps.demoCode,
  });
  const announcements = createAnnouncements({
    accounts,
    people,
    connections,
    departures,
    told: createDueUsers(redis, 'presence:told'),
    changes: createDueUsers(redis, 'presence:changes'),
    frames,
    clock,
  });
  /** Browsers that signed in before have a budget of their own, which strangers cannot use up. */
  const reserveFor = (known: boolean) => (error: unknown) => {
    if (!known || !isAppError(error) || error.kind !== 'rate_limited') throw error;
    return limiter.consume('textMessagesReservePerDay', 'all');
  };

  const notices = createSecurityNotices(db, wakeMails);
  const rpcDeps: RpcDeps = {
    accounts,
    announcements,
    blocks: createBlocks(db, wake),
    challenges: createChallenges({ pepper: deps.codePepper.reveal(), clock }),
    checkSession: createSessionCheck({
      sessions,
      cache: sessionCache,
      clock,
      onTouchFailed: (error) => log.warn({ err: error }, 'the use of a session was not noted'),
    }),
    clock,
    codes,
    contacts: createContacts(db),
    frames,
    identities: createIdentities(db, wakeMails),
    limiter,
    metrics,
    notices,
    people,
    proofs: createProofs(db),
    sessionCache,
    sessions,
    signIns: createSignIns(db, wakeMails),
    verification: createVerification({
      codes,
      store: verificationCodes,
      sms: deps.sms,
      clock,
      async spend(phoneNumber, known) {
        await limiter.consume('textMessagesPerCountryDay', countryOf(phoneNumber)).catch(reserveFor(known));
        await limiter.consume('textMessagesPerDay', 'all').catch(reserveFor(known));
      },
      onSend: (outcome) => metrics.codeSends.inc({ outcome }),
    }),
    viewPeople: createPersonViews({ people, connections }),
  };

  const stops = createStopStack(log);

  return {
    async start() {
      relay.start();
      stops.push('relay', () => relay.stop());
      events.start();
      stops.push('event log', () => events.stop());
      stops.push('repeated tasks', () => repeats.stop());
      mailing = repeats.add({
        name: 'mails',
        everyMs: mailsEveryMs,
        run: sendMails({
          mails,
          sender: deps.mail,
          clock,
          log,
          onMail: (outcome) => metrics.mails.inc({ outcome }),
        }),
      });
      const departing = repeats.add({
        name: 'departures',
        everyMs: departuresEveryMs,
        everywhere: true,
        async run() {
          const due = await announcements.nextDue();
          if (!due || due.getTime() > clock.now().getTime()) return due;
          await announcements.announceDue();
          return announcements.nextDue();
        },
      });
      repeats.add({
        name: 'leases',
        everyMs: leasesEveryMs,
        everywhere: true,
        async run() {
          if (await sweepLeases({ takeExpired: () => connections.takeExpired(), departures, clock }))
            departing.at(clock.now());
        },
      });
      repeats.add({
        name: 'what is over',
        everyMs: expiredEveryMs,
        run: sweepExpired({ sessions, verificationCodes, notices, clock }),
      });
      const server = await serveRpc({
        listen: deps.rpcListen,
        secret: deps.rpcSecret,
        log,
        services: [
          rpcService(IdentityServiceService, createHandlers(rpcDeps)),
          rpcService(SecurityServiceService, createSecurityHandlers(rpcDeps)),
          rpcService(EventLogServiceService, events.handlers),
        ],
        metrics: deps.registry,
      });
      stops.push('rpc', () => server.stop());
      return { port: server.port };
    },
    stop: () => stops.stop(),
  };
}

export interface RunningIdentity {
  ports: { rpc: number; metrics: number };
  stop(): Promise<void>;
}

/** Connects to everything, starts the service, and takes all of it down again if any part fails. */
export async function startIdentity(
  config: IdentityConfig,
  overrides: { clock?: Clock; sms?: SmsSender; mail?: MailSender; log?: Log; longestPauseMs?: number } = {},
): Promise<RunningIdentity> {
  const log = overrides.log ?? createLog({ service: schemaName, level: config.LOG_LEVEL });
  const stops = createStopStack(log);
  try {
    const registry = createRegistry(schemaName);
    const db = createDb({ url: config.DATABASE_URL, schema: schemaName, log, metrics: registry });
    stops.push('db', () => db.destroy());
    const redis = await connectRedis({ url: config.REDIS_URL, prefix: config.REDIS_PREFIX, log, metrics: registry });
    stops.push('redis', () => closeRedis(redis));
    const bus = await connectBus({
      url: config.NATS_URL,
      prefix: config.NATS_PREFIX,
      name: schemaName,
      log,
      metrics: registry,
    });
    stops.push('bus', () => bus.close());

    const mail = overrides.mail ?? (await createMail(config));
    if (!mail) log.warn('SMTP_URL is not set: nobody is told of sign-ins and changes of their account by mail');
    const app = createApp({
      db,
      redis,
      bus,
      sms: overrides.sms ?? (await createSms(config)),
      mail,
      clock: overrides.clock ?? systemClock,
      leaseClock: overrides.clock,
      longestPauseMs: overrides.longestPauseMs,
      log,
      registry,
      rpcListen: config.RPC_LISTEN,
      rpcSecret: config.RPC_SECRET,
      codePepper: config.CODE_PEPPER,
      eventsKeptDays: config.EVENTS_KEPT_DAYS,
      demoCode: demoCode(config),
      relaxedLimits: config.NOLO_MODE === 'demo',
      textMessages: { perDay: config.SMS_PER_DAY, perCountryDay: config.SMS_PER_COUNTRY_DAY },
    });
    stops.push('app', () => app.stop());
    const { port: rpc } = await app.start();

    const metrics = await serveMetrics({
      listen: config.METRICS_LISTEN,
      registry,
      ready: () => checkAll({ postgres: () => checkDb(db), redis: () => checkRedis(redis), nats: () => checkBus(bus) }),
    });
    stops.push('metrics', () => metrics.stop());
    return { ports: { rpc, metrics: metrics.port }, stop: () => stops.stop() };
  } catch (error) {
    await stops.stop();
    throw error;
  }
}
