import type { Clock } from '@nolo/kit/clock';
import type { UserId } from '@nolo/kit/ids';
import type { Limiter } from '@nolo/kit/rateLimit';
import type { RateLimitName, Registration } from '@nolo/rules';
import type { PresenceBroadcaster } from '../domain/presenceBroadcaster.ts';
import type { SignInChallenges } from '../domain/challenges.ts';
import type { VerificationCodeMaker } from '../domain/codes.ts';
import type { FactorTickets, SecondFactors } from '../domain/factorPorts.ts';
import type { MailAddresses } from '../domain/mailPorts.ts';
import type { PasskeyCeremonies } from '../domain/passkeys.ts';
import type { Passkeys } from '../domain/passkeyPorts.ts';
import type { LastSeen, LookupHistory, PeopleReader } from '../domain/peoplePorts.ts';
import type { LoadPersonViews } from '../domain/personViews.ts';
import type {
  Accounts,
  Blocks,
  Closures,
  ContactLinks,
  Contacts,
  IdentityFrameSender,
  LiveSession,
  SessionCache,
  Sessions,
  SignIns,
  Usernames,
} from '../domain/ports.ts';
import type { LocateAddress } from '../domain/places.ts';
import type { Preferences } from '../domain/preferencePorts.ts';
import type { Operators } from '../domain/operatorPorts.ts';
import type { Reports } from '../domain/reportPorts.ts';
import type { AccessTokens } from '../domain/tokenPorts.ts';
import type { RequestingSession, Identities, Proofs, SecurityNotices } from '../domain/securityPorts.ts';
import type { Verification } from '../domain/verification.ts';
import type { IdentityMetrics } from '../metrics.ts';

/** Dependencies of the handlers, assembled in app.ts. */
export interface Dependencies {
  accessTokens: AccessTokens;
  accounts: Accounts;
  presenceBroadcaster: PresenceBroadcaster;
  blocks: Blocks;
  challenges: SignInChallenges;
  checkSession: (token: string) => Promise<LiveSession>;
  clock: Clock;
  closures: Closures;
  codes: VerificationCodeMaker;
  contactLinks: ContactLinks;
  contacts: Contacts;
  factorTickets: FactorTickets;
  frames: IdentityFrameSender;
  /** Returns whether an account's plan includes personal access tokens. */
  hasApiAccess: (userId: UserId) => Promise<boolean>;
  identities: Identities;
  lastSeen: LastSeen;
  limiter: Limiter<RateLimitName>;
  lookups: LookupHistory;
  mailAddresses: MailAddresses;
  /** Codes by email. Absent if no email is sent. */
  mailVerification: Verification | undefined;
  metrics: IdentityMetrics;
  notices: SecurityNotices;
  operators: Operators;
  passkeyCeremonies: PasskeyCeremonies;
  passkeys: Passkeys;
  people: PeopleReader;
  /** Finds the location of an address. */
  placeOf: LocateAddress;
  preferences: Preferences;
  proofs: Proofs;
  reports: Reports;
  secondFactors: SecondFactors;
  sessionCache: SessionCache;
  sessions: Sessions;
  /** Returns true if the caller is a command-line tool next to the services rather than an account. */
  isCommandLinePass: (requester: RequestingSession) => Promise<boolean>;
  /** Returns who may create an account now. */
  registration: () => Registration;
  signIns: SignIns;
  usernames: Usernames;
  verification: Verification;
  viewPeople: LoadPersonViews;
}
