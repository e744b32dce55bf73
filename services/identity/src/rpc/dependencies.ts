import type { Clock } from '@nolo/kit/clock';
import type { UserId } from '@nolo/kit/ids';
import type { Limiter } from '@nolo/kit/rateLimit';
import type { RateLimitName, Registration } from '@nolo/rules';
import type { Announcements } from '../domain/announcements.ts';
import type { Challenges } from '../domain/challenges.ts';
import type { Codes } from '../domain/codes.ts';
import type { FactorTickets, SecondFactors } from '../domain/factorPorts.ts';
import type { MailAddresses } from '../domain/mailPorts.ts';
import type { PasskeyCeremonies } from '../domain/passkeys.ts';
import type { Passkeys } from '../domain/passkeyPorts.ts';
import type { LastSeen, Lookups, People } from '../domain/peoplePorts.ts';
import type { ViewPeople } from '../domain/personViews.ts';
import type {
  Accounts,
  Blocks,
  Closures,
  ContactLinks,
  Contacts,
  Frames,
  LiveSession,
  SessionCache,
  Sessions,
  SignIns,
  Usernames,
} from '../domain/ports.ts';
import type { PlaceOf } from '../domain/places.ts';
import type { Preferences } from '../domain/preferencePorts.ts';
import type { Operators } from '../domain/operatorPorts.ts';
import type { Reports } from '../domain/reportPorts.ts';
import type { AccessTokens } from '../domain/tokenPorts.ts';
import type { Asking, Identities, Proofs, SecurityNotices } from '../domain/securityPorts.ts';
import type { Verification } from '../domain/verification.ts';
import type { Metrics } from '../metrics.ts';

/** Dependencies of the handlers, assembled in app.ts. */
export interface Dependencies {
  accessTokens: AccessTokens;
  accounts: Accounts;
  announcements: Announcements;
  blocks: Blocks;
  challenges: Challenges;
  checkSession: (token: string) => Promise<LiveSession>;
  clock: Clock;
  closures: Closures;
  codes: Codes;
  contactLinks: ContactLinks;
  contacts: Contacts;
  factorTickets: FactorTickets;
  frames: Frames;
  /** Returns whether an account's plan includes personal access tokens. */
  hasApiAccess: (userId: UserId) => Promise<boolean>;
  identities: Identities;
  lastSeen: LastSeen;
  limiter: Limiter<RateLimitName>;
  lookups: Lookups;
  mailAddresses: MailAddresses;
  /** Codes by email. Absent if no email is sent. */
  mailVerification: Verification | undefined;
  metrics: Metrics;
  notices: SecurityNotices;
  operators: Operators;
  passkeyCeremonies: PasskeyCeremonies;
  passkeys: Passkeys;
  people: People;
  /** Finds the location of an address. */
  placeOf: PlaceOf;
  preferences: Preferences;
  proofs: Proofs;
  reports: Reports;
  secondFactors: SecondFactors;
  sessionCache: SessionCache;
  sessions: Sessions;
  /** Returns true if the caller is a command-line tool next to the services rather than an account. */
  holdsPass: (asking: Asking) => Promise<boolean>;
  /** Returns who may create an account now. */
  registration: () => Registration;
  signIns: SignIns;
  usernames: Usernames;
  verification: Verification;
  viewPeople: ViewPeople;
}
