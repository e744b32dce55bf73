import type { Clock } from '@nolo/kit/clock';
import type { UserId } from '@nolo/kit/ids';
import type { Limiter } from '@nolo/kit/rateLimit';
import type { RateLimitName, RegistrationPolicy } from '@nolo/rules';
import type { PresenceBroadcaster } from '../domain/presenceBroadcaster.ts';
import type { ProofOfWorkChallenges } from '../domain/proofOfWorkChallenges.ts';
import type { VerificationCodeMaker } from '../domain/verificationCodeMaker.ts';
import type { SecondFactorTicketStore, SecondFactorStore } from '../domain/secondFactorPorts.ts';
import type { DeviceLinkStore } from '../domain/deviceLinks.ts';
import type { DeviceListStore, DeviceStore, KeptListStore, KeyReader, NamedAccounts } from '../domain/keyPorts.ts';
import type { ListSettler } from '../domain/settleLists.ts';
import type { MailAddressStore } from '../domain/mailPorts.ts';
import type { PasskeyCeremonies } from '../domain/passkeys.ts';
import type { PasskeyStore } from '../domain/passkeyPorts.ts';
import type { LastSeenStore, LatestLookupStore, PeopleReader } from '../domain/peoplePorts.ts';
import type { LoadPersonViews } from '../domain/personViews.ts';
import type {
  AccountStore,
  UserBlockStore,
  AccountClosureStore,
  ContactLinkStore,
  ContactStore,
  IdentityFrameSender,
  LiveSession,
  SessionCache,
  SessionStore,
  SignInStore,
  UsernameStore,
} from '../domain/ports.ts';
import type { LocateIpAddress } from '../domain/places.ts';
import type { SyncedPreferenceStore } from '../domain/preferencePorts.ts';
import type { OperatorStore } from '../domain/operatorPorts.ts';
import type { ReportStore } from '../domain/reportPorts.ts';
import type { AccessTokenStore } from '../domain/tokenPorts.ts';
import type {
  RequestingSession,
  AccountIdentityStore,
  SessionProofStore,
  SecurityNoticeStore,
} from '../domain/securityPorts.ts';
import type { CodeVerification } from '../domain/codeVerification.ts';
import type { IdentityMetrics } from '../metrics.ts';

/** Dependencies of the handlers, assembled in app.ts. */
export interface Dependencies {
  accessTokens: AccessTokenStore;
  accounts: AccountStore;
  presenceBroadcaster: PresenceBroadcaster;
  blocks: UserBlockStore;
  challenges: ProofOfWorkChallenges;
  checkSession: (token: string) => Promise<LiveSession>;
  clock: Clock;
  closures: AccountClosureStore;
  codes: VerificationCodeMaker;
  contactLinks: ContactLinkStore;
  contacts: ContactStore;
  deviceLinks: DeviceLinkStore;
  deviceLists: DeviceListStore;
  devices: DeviceStore;
  factorTickets: SecondFactorTicketStore;
  frames: IdentityFrameSender;
  /** Returns whether an account's plan includes personal access tokens. */
  hasApiAccess: (userId: UserId) => Promise<boolean>;
  identities: AccountIdentityStore;
  keptLists: KeptListStore;
  keys: KeyReader;
  lastSeen: LastSeenStore;
  limiter: Limiter<RateLimitName>;
  listSettler: ListSettler;
  lookups: LatestLookupStore;
  mailAddresses: MailAddressStore;
  /** Codes by email. Absent if no email is sent. */
  mailVerification: CodeVerification | undefined;
  metrics: IdentityMetrics;
  namedAccounts: NamedAccounts;
  notices: SecurityNoticeStore;
  operators: OperatorStore;
  passkeyCeremonies: PasskeyCeremonies;
  passkeys: PasskeyStore;
  people: PeopleReader;
  /** Finds the location of an address. */
  placeOf: LocateIpAddress;
  preferences: SyncedPreferenceStore;
  proofs: SessionProofStore;
  reports: ReportStore;
  secondFactors: SecondFactorStore;
  sessionCache: SessionCache;
  sessions: SessionStore;
  /** Returns true if the caller is a command-line tool next to the services rather than an account. */
  isCommandLinePass: (requester: RequestingSession) => Promise<boolean>;
  /** Returns who may create an account now. */
  registration: () => RegistrationPolicy;
  signIns: SignInStore;
  usernames: UsernameStore;
  verification: CodeVerification;
  viewPeople: LoadPersonViews;
}
