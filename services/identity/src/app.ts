import type { Knex } from '@nolo/kit/db';
import { isCommandLinePass } from '@nolo/kit/commandLinePass';
import {
  createDeliveryService,
  createOutboxDispatch,
  createConnectionLeaseReader,
  type ConnectionLeaseReader,
} from '@nolo/kit/delivery';
import { createEntitlementsLookup } from '@nolo/installation/entitlements';
import { createKeyRing } from '@nolo/kit/keyRing';
import { newId } from '@nolo/kit/ids';
import { bindRpcService } from '@nolo/kit/rpc';
import { createService, type ServiceApp, type ServiceContext, type ServiceOptions } from '@nolo/kit/service';
import { advanceStateVersion } from '@nolo/kit/versions';
import { EventLogServiceDefinition } from '@nolo/proto/events';
import { EntitlementsServiceDefinition } from '@nolo/proto/entitlements';
import { IdentityServiceDefinition } from '@nolo/proto/identity';
import { KeyServiceDefinition } from '@nolo/proto/keys';
import { MailCodeServiceDefinition } from '@nolo/proto/mailCodes';
import { OwnerMailServiceDefinition } from '@nolo/proto/ownerMail';
import { PasskeyServiceDefinition } from '@nolo/proto/passkeys';
import { SecondFactorServiceDefinition } from '@nolo/proto/secondFactor';
import { SecurityServiceDefinition } from '@nolo/proto/security';
import { TokenServiceDefinition } from '@nolo/proto/tokens';
import { allowanceOf, limits, unlimitedAllowance } from '@nolo/rules';
import { getDemoCode, parseFactorKeys, type IdentityConfig } from './config.ts';
import {
  createPresenceBroadcaster,
  minBroadcastIntervalMs,
  withDepartureGrace,
  type PresenceBroadcaster,
} from './domain/presenceBroadcaster.ts';
import type { MailInvitationStore } from './domain/mailInvitations.ts';
import { createProofOfWorkChallenges } from './domain/proofOfWorkChallenges.ts';
import { createVerificationCodeMaker } from './domain/verificationCodeMaker.ts';
import { createPasskeyCeremonies } from './domain/passkeys.ts';
import { createPersonViewLoader } from './domain/personViews.ts';
import type { LocateIpAddress } from './domain/places.ts';
import type { DueUserQueue, IdentityFrameSender, VerificationCodeStore } from './domain/ports.ts';
import type { SmsSender } from './domain/smsSender.ts';
import type { OutgoingMail, MailSender } from './domain/securityPorts.ts';
import { createSessionTokenResolver } from './domain/sessionTokenResolver.ts';
import { dropUnnamedLists } from './jobs/dropUnnamedLists.ts';
import { eraseClosedAccounts } from './jobs/eraseClosedAccounts.ts';
import { sendMails, type SendMailsDeps } from './jobs/sendMails.ts';
import { settlePendingLists } from './jobs/settlePendingLists.ts';
import { sweepExpiredIdentityData } from './jobs/sweepExpiredIdentityData.ts';
import { sweepLeases } from './jobs/sweepLeases.ts';
import { createMailSender } from './mail/createMailSender.ts';
import { openGeoIpDatabase } from './store/geoIpDatabase.ts';
import type { Dependencies } from './rpc/dependencies.ts';
import {
  createSecondFactorHandlers,
  createIdentityHandlers,
  createKeyHandlers,
  createMailCodeHandlers,
  createPasskeyHandlers,
  createSecurityHandlers,
  createAccessTokenHandlers,
} from './rpc/handlers.ts';
import { notifyWebhookDisabled } from './rpc/ownerMail.ts';
import { createKeyStores } from './keyStores.ts';
import { createOperatorServices } from './operatorServices.ts';
import { createAdjusted } from './settings.ts';
import { createCodeVerifications } from './codeVerifications.ts';
import { createAccessTokenStore } from './store/accessTokens.ts';
import { createAccountStore } from './store/accounts.ts';
import { createBarredHostStore } from './store/barredHosts.ts';
import { createAnnouncementStore } from './store/announcements.ts';
import { createUserBlockStore } from './store/blocks.ts';
import { createAccountClosureStore } from './store/closures.ts';
import { createContactLinkStore } from './store/contactLinks.ts';
import { createContactStore } from './store/contacts.ts';
import { createDueUserQueue } from './store/dueUsers.ts';
import { createSecondFactorTicketStore } from './store/secondFactorTickets.ts';
import { createAccountIdentityStore } from './store/identities.ts';
import { createInstallationSettingStore } from './store/installationSettings.ts';
import { createLastSeenStore } from './store/lastSeen.ts';
import { createLatestLookupStore } from './store/latestLookups.ts';
import { createMailAddressStore } from './store/mailAddresses.ts';
import { createMailInvitationStore } from './store/mailInvitations.ts';
import { foldRemainingNames } from './store/foldedNames.ts';
import { createMailQueue, enqueueMail } from './store/mails.ts';
import { createOperatorStore } from './store/operators.ts';
import { createReportStore } from './store/reports.ts';
import { createPasskeyChallengeStore } from './store/passkeyChallenges.ts';
import { createPasskeyStore } from './store/passkeys.ts';
import { createPeopleReader } from './store/people.ts';
import { createSyncedPreferenceStore } from './store/preferences.ts';
import { createSessionProofStore } from './store/proofs.ts';
import { createSecondFactorStore } from './store/secondFactors.ts';
import { createSecurityNoticeStore } from './store/securityNotices.ts';
import { createSessionCache } from './store/sessionCache.ts';
import { createSessionStore } from './store/sessions.ts';
import { createSignInStore } from './store/signIns.ts';
import { createUsernameStore } from './store/usernames.ts';
import { createVerificationCodeStore } from './store/verificationCodes.ts';
import { createSmsSender } from './sms/createSmsSender.ts';

/** Departure poll interval. At most the announcement pace, so every change is found in time. */
const departuresEveryMs = minBroadcastIntervalMs;
const leasesEveryMs = 5000;
const expiredEveryMs = 600_000;
const closedEveryMs = 60_000;
const pendingListsEveryMs = 30_000;
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

export function createIdentityApp(options: IdentityAppOptions): ServiceApp {
  return createService('identity', options, async (service) => {
    const { config, log, clock, db, redis, bus } = service;
    const mail = options.mail ?? (await createMailSender(config));
    if (!mail) log.warn('SMTP_URL is not set: people get no email about sign-ins and account changes');
    // Leases use the clock of Redis, except in tests that move their own.
    const leaseClock = options.clock;
    const delivery = createDeliveryService({ redis, bus, log, clock: leaseClock });
    const { wake, eventHandlers } = service.relayOutbox(createOutboxDispatch({ bus, delivery }));
    const installationSettings = createInstallationSettingStore(db, wake);
    const { limiter, metrics, registration } = createAdjusted(service, installationSettings);
    const mailing = sendWaiting(service, mail, (outcome) => metrics.mails.inc({ outcome }));
    /** Triggers sending as well, after an action that may write an email. */
    const wakeMails = () => {
      wake();
      mailing.at(clock.now());
    };

    const accessTokens = createAccessTokenStore(db, wakeMails);
    const addMail = (id: string, letter: OutgoingMail) => enqueueMail(db, letter, clock.now(), id).then(wakeMails);

    const accounts = createAccountStore(db, wakeMails);
    const people = createPeopleReader(db);
    const lastSeen = createLastSeenStore(db);
    const sessions = createSessionStore(db, wakeMails);
    const notices = createSecurityNoticeStore(db, wakeMails);
    const sessionCache = createSessionCache(redis, log);
    const mailAddresses = createMailAddressStore(db, wakeMails);
    const mailInvitations = createMailInvitationStore(db, wakeMails);
    const verificationCodes = createVerificationCodeStore(db);
    let wakeDepartures = () => undefined as void;
    const createDue = (name: string) => createDueUserQueue(redis, name, () => wakeDepartures());
    const departures = createDue('presence:departures');
    const connections = createConnectionLeaseReader({ redis, clock: leaseClock });
    const frames: IdentityFrameSender = { send: (recipients, frame) => delivery.deliverLoosely({ recipients, frame }) };
    const pepper = config.CODE_PEPPER.reveal();
    const codes = createVerificationCodeMaker({
      pepper,
      digits: limits.verificationCodeDigits,
      fixedCode: getDemoCode(config),
    });
    const stores = { accounts, people, connections, lastSeen, departures };
    const presenceBroadcaster = createPresenceBroadcaster({
      ...stores,
      broadcasts: createDue('presence:told'),
      changes: createDue('presence:changes'),
      frames,
      nextVersion: () => advanceStateVersion(redis, 'presence:version'),
      clock,
    });
    const rpcDeps: Dependencies = {
      accessTokens,
      accounts,
      presenceBroadcaster,
      blocks: createUserBlockStore(db, wake),
      challenges: createProofOfWorkChallenges({ pepper, clock }),
      checkSession: createSessionTokenResolver({
        sessions,
        cache: sessionCache,
        clock,
        onTouchFailed: (error) => log.warn({ err: error }, 'recording the use of a session failed'),
      }),
      clock,
      closures: createAccountClosureStore(db, wakeMails),
      codes,
      contactLinks: createContactLinkStore(db),
      contacts: createContactStore(db, wake),
      ...createFactors(service, wakeMails),
      ...createKeyStores(service, { wake, wakeMails, sessionCache, metrics }),
      frames,
      hasApiAccess: apiAccess(service),
      identities: createAccountIdentityStore(db, wakeMails),
      lastSeen,
      limiter,
      lookups: createLatestLookupStore(redis, log),
      metrics,
      notices,
      ...createOversight(db, wakeMails),
      passkeyCeremonies: createPasskeyCeremonies({ challenges: createPasskeyChallengeStore(redis, clock), log }),
      passkeys: createPasskeyStore(db, wakeMails),
      people,
      placeOf: await findPlaces(service),
      preferences: createSyncedPreferenceStore(db),
      proofs: createSessionProofStore(db),
      sessionCache,
      sessions,
      isCommandLinePass: (requester) => isCommandLinePass(redis, requester),
      registration,
      signIns: createSignInStore(db, wakeMails, registration),
      usernames: createUsernameStore(db),
      mailAddresses,
      ...createCodeVerifications(service, {
        codes,
        store: verificationCodes,
        sms: options.sms ?? (await createSmsSender(config)),
        mails: mail && { ownerOf: mailAddresses.ownerOf, addMail: (letter) => addMail(newId(), letter) },
        limiter,
        onSend: (outcome) => metrics.codeSends.inc({ outcome }),
      }),
      viewPeople: createPersonViewLoader({ people, connections: withDepartureGrace(connections, departures) }),
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
        bindRpcService(IdentityServiceDefinition, createIdentityHandlers(rpcDeps)),
        ...createOperatorServices(service, rpcDeps, {
          barredHosts: createBarredHostStore(db, wake),
          announcements: createAnnouncementStore(db, wake),
          mailInvitations,
          installationSettings,
        }),
        bindRpcService(KeyServiceDefinition, createKeyHandlers(rpcDeps)),
        bindRpcService(MailCodeServiceDefinition, createMailCodeHandlers(rpcDeps)),
        bindRpcService(OwnerMailServiceDefinition, {
          notifyWebhookDisabled: notifyWebhookDisabled({ accounts, addMail }),
        }),
        bindRpcService(PasskeyServiceDefinition, createPasskeyHandlers(rpcDeps)),
        bindRpcService(SecondFactorServiceDefinition, createSecondFactorHandlers(rpcDeps)),
        bindRpcService(SecurityServiceDefinition, createSecurityHandlers(rpcDeps)),
        bindRpcService(TokenServiceDefinition, createAccessTokenHandlers(rpcDeps)),
        bindRpcService(EventLogServiceDefinition, eventHandlers),
      ],
    };
  });
}

/** Opens the location database, if configured, and checks it periodically because operators update it weekly. */
async function findPlaces({ config, log, repeat }: ServiceContext<IdentityConfig>): Promise<LocateIpAddress> {
  const file = config.GEOIP_DATABASE_FILE;
  if (file === undefined) return () => undefined;
  const places = await openGeoIpDatabase(file, log);
  repeat({ name: 'places', everyMs: placesEveryMs, everywhere: true, run: () => places.refresh() });
  return places.placeOf;
}

/** Sends pending emails. */
function sendWaiting(
  { clock, db, log, repeat }: ServiceContext<IdentityConfig>,
  sender: MailSender | undefined,
  onMail: SendMailsDeps['onMail'],
) {
  const mails = createMailQueue(db);
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
  deps: Dependencies & { mailInvitations: MailInvitationStore; verificationCodes: VerificationCodeStore },
) {
  repeat({ name: 'expired data', everyMs: expiredEveryMs, run: sweepExpiredIdentityData({ ...deps, log }) });
  repeat({ name: 'pending lists', everyMs: pendingListsEveryMs, run: settlePendingLists(deps) });
  repeat({ name: 'folded names', everyMs: foldedEveryMs, run: () => foldRemainingNames(db) });
  repeat({ name: 'kept lists', everyMs: expiredEveryMs, run: dropUnnamedLists(deps) });
  repeat({ name: 'closed accounts', everyMs: closedEveryMs, run: eraseClosedAccounts({ ...deps, log }) });
}

/** Creates the stores of second factors and of the tickets that become sessions. */
function createFactors({ config, db }: ServiceContext<IdentityConfig>, wake: () => void) {
  const ring = createKeyRing(parseFactorKeys(config));
  return {
    factorTickets: createSecondFactorTicketStore(db, ring, wake),
    secondFactors: createSecondFactorStore(db, ring, wake),
  };
}

/** Returns whether a user may have personal access tokens: decided by billing, if present. */
function apiAccess(service: ServiceContext<IdentityConfig>): Dependencies['hasApiAccess'] {
  const { BILLING_ADDR: address } = service.config;
  const entitlementsOf = createEntitlementsLookup(service, {
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
    connections: ConnectionLeaseReader;
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
  return { operators: createOperatorStore(db, wake), reports: createReportStore(db) };
}
