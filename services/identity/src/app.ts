import type { Knex } from '@nolo/kit/db';
import { isCommandLinePass } from '@nolo/kit/commandLinePass';
import { createDelivery, createOutboxDispatch, createLeaseReader, type LeaseReader } from '@nolo/kit/delivery';
import { createEntitlements } from '@nolo/kit/entitlements';
import { createKeyRing } from '@nolo/kit/keyRing';
import { newId } from '@nolo/kit/ids';
import { createLimiter } from '@nolo/kit/rateLimit';
import { rpcService } from '@nolo/kit/rpc';
import { createService, type ServiceApp, type ServiceContext, type ServiceOptions } from '@nolo/kit/service';
import { createSettings } from '@nolo/kit/settings';
import { nextStateVersion } from '@nolo/kit/versions';
import { EventLogServiceDefinition } from '@nolo/proto/events';
import { EntitlementsServiceDefinition } from '@nolo/proto/entitlements';
import { IdentityServiceDefinition } from '@nolo/proto/identity';
import { MailCodeServiceDefinition } from '@nolo/proto/mailCodes';
import { OwnerMailServiceDefinition } from '@nolo/proto/ownerMail';
import { PasskeyServiceDefinition } from '@nolo/proto/passkeys';
import { SecondFactorServiceDefinition } from '@nolo/proto/secondFactor';
import { SecurityServiceDefinition } from '@nolo/proto/security';
import { TokenServiceDefinition } from '@nolo/proto/tokens';
import {
  allowanceOf,
  demoRateLimits,
  unlimitedAllowance,
  limits,
  rateLimits,
  readSettings,
  type RateLimit,
  type RateLimitName,
} from '@nolo/rules';
import { demoCode, factorKeys, type IdentityConfig } from './config.ts';
import {
  createPresenceBroadcaster,
  paceMs,
  withGrace,
  type PresenceBroadcaster,
} from './domain/presenceBroadcaster.ts';
import type { MailInvitations } from './domain/mailInvitations.ts';
import type { InstallationSettings } from './domain/installationSettings.ts';
import { createChallenges } from './domain/challenges.ts';
import { createCodes } from './domain/codes.ts';
import { createPasskeyCeremonies } from './domain/passkeys.ts';
import { createPersonViews } from './domain/personViews.ts';
import type { LocateAddress } from './domain/places.ts';
import type { DueUserQueue, IdentityFrameSender, VerificationCodes } from './domain/ports.ts';
import type { SmsSender } from './domain/smsSender.ts';
import type { OutgoingMail, MailSender } from './domain/securityPorts.ts';
import { createSessionCheck } from './domain/sessionCheck.ts';
import { eraseClosedAccounts } from './jobs/eraseClosedAccounts.ts';
import { sendMails, type SendMailsDeps } from './jobs/sendMails.ts';
import { sweepExpiredIdentityData } from './jobs/sweepExpiredIdentityData.ts';
import { sweepLeases } from './jobs/sweepLeases.ts';
import { createMail } from './mail/createMail.ts';
import { openPlaceDatabase } from './store/places.ts';
import { createIdentityMetrics } from './metrics.ts';
import type { Dependencies } from './rpc/dependencies.ts';
import {
  createFactorHandlers,
  createHandlers,
  createMailCodeHandlers,
  createPasskeyHandlers,
  createSecurityHandlers,
  createTokenHandlers,
} from './rpc/handlers.ts';
import { notifyWebhookDisabled } from './rpc/ownerMail.ts';
import { serveOperators } from './operatorServices.ts';
import { createVerifications } from './verifications.ts';
import { createAccessTokens } from './store/accessTokens.ts';
import { createAccounts } from './store/accounts.ts';
import { createBarredHosts } from './store/barredHosts.ts';
import { createAnnouncementStore } from './store/announcements.ts';
import { createBlocks } from './store/blocks.ts';
import { createClosures } from './store/closures.ts';
import { createContactLinks } from './store/contactLinks.ts';
import { createContacts } from './store/contacts.ts';
import { createDueUsers } from './store/dueUsers.ts';
import { createFactorTickets } from './store/factorTickets.ts';
import { createIdentities } from './store/identities.ts';
import { createInstallationSettings } from './store/installationSettings.ts';
import { createLastSeen } from './store/lastSeen.ts';
import { createLookups } from './store/lookups.ts';
import { createMailAddresses } from './store/mailAddresses.ts';
import { createMailInvitations } from './store/mailInvitations.ts';
import { foldNames } from './store/foldedNames.ts';
import { createMails, enqueueMail } from './store/mails.ts';
import { createOperators } from './store/operators.ts';
import { createReports } from './store/reports.ts';
import { createPasskeyChallenges } from './store/passkeyChallenges.ts';
import { createPasskeys } from './store/passkeys.ts';
import { createPeopleReader } from './store/people.ts';
import { createPreferences } from './store/preferences.ts';
import { createProofs } from './store/proofs.ts';
import { createSecondFactors } from './store/secondFactors.ts';
import { createSecurityNotices } from './store/securityNotices.ts';
import { createSessionCache } from './store/sessionCache.ts';
import { createSessions } from './store/sessions.ts';
import { createSignIns } from './store/signIns.ts';
import { createUsernames } from './store/usernames.ts';
import { createVerificationCodes } from './store/verificationCodes.ts';
import { createSms } from './sms/createSms.ts';

/** Departure poll interval. At most the announcement pace, so every change is found in time. */
const departuresEveryMs = paceMs;
const leasesEveryMs = 5000;
const expiredEveryMs = 600_000;
const closedEveryMs = 60_000;
const foldedEveryMs = 60_000;
const placesEveryMs = 3_600_000;
/** Poll interval for emails written by other replicas. */
const mailsEveryMs = 10_000;
/** Poll interval when idle: no connections, no pending announcements, no waiting email. New entries trigger a poll. */
const quietMs = 30_000;

export interface IdentityAppOptions extends ServiceOptions<IdentityConfig> {
  /** Replaces the configured providers in tests. */
  sms?: SmsSender;
  mail?: MailSender;
}

/** Returns the rate limits with overrides from the environment. */
function limitsOf({ NOLO_MODE, SMS_PER_DAY, SMS_PER_COUNTRY_DAY }: IdentityConfig): Record<RateLimitName, RateLimit> {
  const table: Record<RateLimitName, RateLimit> =
    NOLO_MODE === 'demo' ? { ...rateLimits, ...demoRateLimits } : rateLimits;
  const budget = (defaultLimit: RateLimit, points: number | undefined) => ({
    ...defaultLimit,
    points: points ?? defaultLimit.points,
  });
  return {
    ...table,
    textMessagesPerDay: budget(table.textMessagesPerDay, SMS_PER_DAY),
    textMessagesPerCountryDay: budget(table.textMessagesPerCountryDay, SMS_PER_COUNTRY_DAY),
  };
}

/** Creates what depends on operators' runtime settings. */
function setMeanwhile(service: ServiceContext<IdentityConfig>, kept: InstallationSettings) {
  const list = async () => ({ settings: await kept.current() });
  const { current } = createSettings(service, { list, read: readSettings });
  const table = limitsOf(service.config);
  const pointsOf = (name: RateLimitName): number | undefined => {
    const { textMessagesPerDay, textMessagesPerCountryDay } = current();
    const set: Partial<Record<RateLimitName, number | undefined>> = { textMessagesPerDay, textMessagesPerCountryDay };
    return set[name];
  };
  const defaultLimit = table.textMessagesPerDay.points;
  return {
    limiter: createLimiter({ redis: service.redis, table, pointsOf }),
    metrics: createIdentityMetrics(service.metrics, () => pointsOf('textMessagesPerDay') ?? defaultLimit),
    registration: () => current().registration ?? 'open',
  };
}

export function createIdentityApp(options: IdentityAppOptions): ServiceApp {
  return createService('identity', options, async (service) => {
    const { config, log, clock, db, redis, bus } = service;
    const mail = options.mail ?? (await createMail(config));
    if (!mail) log.warn('SMTP_URL is not set: people get no email about sign-ins and account changes');
    // Leases use the clock of Redis, except in tests that move their own.
    const leaseClock = options.clock;
    const delivery = createDelivery({ redis, bus, log, clock: leaseClock });
    const { wake, eventHandlers } = service.relayOutbox(createOutboxDispatch({ bus, delivery }));
    const installationSettings = createInstallationSettings(db, wake);
    const { limiter, metrics, registration } = setMeanwhile(service, installationSettings);
    const mailing = sendWaiting(service, mail, (outcome) => metrics.mails.inc({ outcome }));
    /** Triggers sending as well, after an action that may write an email. */
    const wakeMails = () => {
      wake();
      mailing.at(clock.now());
    };

    const accessTokens = createAccessTokens(db, wakeMails);
    const addMail = (id: string, letter: OutgoingMail) => enqueueMail(db, letter, clock.now(), id).then(wakeMails);

    const accounts = createAccounts(db, wakeMails);
    const people = createPeopleReader(db);
    const lastSeen = createLastSeen(db);
    const sessions = createSessions(db, wakeMails);
    const notices = createSecurityNotices(db, wakeMails);
    const sessionCache = createSessionCache(redis, log);
    const mailAddresses = createMailAddresses(db, wakeMails);
    const mailInvitations = createMailInvitations(db, wakeMails);
    const verificationCodes = createVerificationCodes(db);
    let wakeDepartures = () => undefined as void;
    const createDue = (name: string) => createDueUsers(redis, name, () => wakeDepartures());
    const departures = createDue('presence:departures');
    const connections = createLeaseReader({ redis, clock: leaseClock });
    const frames: IdentityFrameSender = { send: (recipients, frame) => delivery.deliverLoosely({ recipients, frame }) };
    const pepper = config.CODE_PEPPER.reveal();
    const codes = createCodes({ pepper, digits: limits.verificationCodeDigits, fixedCode: demoCode(config) });
    const stores = { accounts, people, connections, lastSeen, departures };
    const presenceBroadcaster = createPresenceBroadcaster({
      ...stores,
      broadcasts: createDue('presence:told'),
      changes: createDue('presence:changes'),
      frames,
      nextVersion: () => nextStateVersion(redis, 'presence:version'),
      clock,
    });
    const rpcDeps: Dependencies = {
      accessTokens,
      accounts,
      presenceBroadcaster,
      blocks: createBlocks(db, wake),
      challenges: createChallenges({ pepper, clock }),
      checkSession: createSessionCheck({
        sessions,
        cache: sessionCache,
        clock,
        onTouchFailed: (error) => log.warn({ err: error }, 'recording the use of a session failed'),
      }),
      clock,
      closures: createClosures(db, wakeMails),
      codes,
      contactLinks: createContactLinks(db),
      contacts: createContacts(db, wake),
      ...createFactors(service, wakeMails),
      frames,
      hasApiAccess: apiAccess(service),
      identities: createIdentities(db, wakeMails),
      lastSeen,
      limiter,
      lookups: createLookups(redis, log),
      metrics,
      notices,
      ...createOversight(db, wakeMails),
      passkeyCeremonies: createPasskeyCeremonies({ challenges: createPasskeyChallenges(redis, clock), log }),
      passkeys: createPasskeys(db, wakeMails),
      people,
      placeOf: await findPlaces(service),
      preferences: createPreferences(db),
      proofs: createProofs(db),
      sessionCache,
      sessions,
      isCommandLinePass: (requester) => isCommandLinePass(redis, requester),
      registration,
      signIns: createSignIns(db, wakeMails, registration),
      usernames: createUsernames(db),
      mailAddresses,
      ...createVerifications(service, {
        codes,
        store: verificationCodes,
        sms: options.sms ?? (await createSms(config)),
        mails: mail && { ownerOf: mailAddresses.ownerOf, addMail: (letter) => addMail(newId(), letter) },
        limiter,
        onSend: (outcome) => metrics.codeSends.inc({ outcome }),
      }),
      viewPeople: createPersonViews({ people, connections: withGrace(connections, departures) }),
    };

    watchPresence(service, {
      presenceBroadcaster,
      connections,
      departures,
      onScheduled: (listener) => (wakeDepartures = listener),
    });
    cleanUp(service, { ...rpcDeps, mailInvitations, verificationCodes });
    return {
      services: [
        rpcService(IdentityServiceDefinition, createHandlers(rpcDeps)),
        ...serveOperators(service, rpcDeps, {
          barredHosts: createBarredHosts(db, wake),
          announcements: createAnnouncementStore(db, wake),
          mailInvitations,
          installationSettings,
        }),
        rpcService(MailCodeServiceDefinition, createMailCodeHandlers(rpcDeps)),
        rpcService(OwnerMailServiceDefinition, { notifyWebhookDisabled: notifyWebhookDisabled({ accounts, addMail }) }),
        rpcService(PasskeyServiceDefinition, createPasskeyHandlers(rpcDeps)),
        rpcService(SecondFactorServiceDefinition, createFactorHandlers(rpcDeps)),
        rpcService(SecurityServiceDefinition, createSecurityHandlers(rpcDeps)),
        rpcService(TokenServiceDefinition, createTokenHandlers(rpcDeps)),
        rpcService(EventLogServiceDefinition, eventHandlers),
      ],
    };
  });
}

/** Opens the location database, if configured, and checks it periodically because operators update it weekly. */
async function findPlaces({ config, log, repeat }: ServiceContext<IdentityConfig>): Promise<LocateAddress> {
  const file = config.GEOIP_DATABASE_FILE;
  if (file === undefined) return () => undefined;
  const places = await openPlaceDatabase(file, log);
  repeat({ name: 'places', everyMs: placesEveryMs, everywhere: true, run: () => places.refresh() });
  return places.placeOf;
}

/** Sends pending emails. */
function sendWaiting(
  { clock, db, log, repeat }: ServiceContext<IdentityConfig>,
  sender: MailSender | undefined,
  onMail: SendMailsDeps['onMail'],
) {
  const mails = createMails(db);
  return repeat({
    name: 'mails',
    everyMs: mailsEveryMs,
    quietMs,
    run: sendMails({ mails, sender, clock, log, onMail }),
  });
}

/** Deletes expired data and accounts that are due, and folds names written by another release. */
function cleanUp(
  { db, log, repeat }: ServiceContext<IdentityConfig>,
  deps: Dependencies & { mailInvitations: MailInvitations; verificationCodes: VerificationCodes },
) {
  repeat({ name: 'expired data', everyMs: expiredEveryMs, run: sweepExpiredIdentityData({ ...deps, log }) });
  repeat({ name: 'folded names', everyMs: foldedEveryMs, run: () => foldNames(db) });
  repeat({ name: 'closed accounts', everyMs: closedEveryMs, run: eraseClosedAccounts({ ...deps, log }) });
}

/** Creates the stores of second factors and of the tickets that become sessions. */
function createFactors({ config, db }: ServiceContext<IdentityConfig>, wake: () => void) {
  const ring = createKeyRing(factorKeys(config));
  return {
    factorTickets: createFactorTickets(db, ring, wake),
    secondFactors: createSecondFactors(db, ring, wake),
  };
}

/** Returns whether a user may have personal access tokens: decided by billing, if present. */
function apiAccess(service: ServiceContext<IdentityConfig>): Dependencies['hasApiAccess'] {
  const { BILLING_ADDR: address } = service.config;
  const entitlementsOf = createEntitlements(service, {
    billing: address && {
      entitlements: service.client(EntitlementsServiceDefinition, address),
      events: service.client(EventLogServiceDefinition, address),
    },
    everything: { apiAccess: unlimitedAllowance.apiAccess },
    free: allowanceOf('free'),
  });
  return async (userId) => (await entitlementsOf(userId)).limits.apiAccess !== 0;
}

/** Announces that a user left once their leases expired and they did not return. */
function watchPresence(
  { clock, repeat }: ServiceContext<IdentityConfig>,
  {
    presenceBroadcaster,
    connections,
    departures,
    onScheduled,
  }: {
    presenceBroadcaster: PresenceBroadcaster;
    connections: LeaseReader;
    departures: DueUserQueue;
    onScheduled: (listener: () => void) => void;
  },
): void {
  const departing = repeat({
    name: 'departures',
    everyMs: departuresEveryMs,
    quietMs,
    everywhere: true,
    async run() {
      const due = await presenceBroadcaster.nextDue();
      if (!due) return 'nothing';
      if (due.getTime() > clock.now().getTime()) return due;
      await presenceBroadcaster.broadcastDue();
      return (await presenceBroadcaster.nextDue()) ?? 'nothing';
    },
  });
  onScheduled(() => departing.endQuietPeriod());
  repeat({
    name: 'leases',
    everyMs: leasesEveryMs,
    quietMs: 3 * leasesEveryMs,
    everywhere: true,
    async run() {
      if (!(await connections.isAnybody())) return 'nothing';
      if (await sweepLeases({ takeExpired: () => connections.takeExpired(), departures, clock }))
        departing.at(clock.now());
      return undefined;
    },
  });
}

/** Creates the stores of operator actions and user reports. */
function createOversight(db: Knex, wake: () => void): Pick<Dependencies, 'operators' | 'reports'> {
  return { operators: createOperators(db, wake), reports: createReports(db) };
}
