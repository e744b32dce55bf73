import { audiences, type Audience } from './audiences.ts';

/** Services that store privacy choices. */
type PrivacyService = 'identity' | 'chat' | 'meetings';

interface OptionChoice<Option extends string> {
  /** Ordered from the most open to the strictest. */
  readonly options: readonly Option[];
  readonly default: Option;
  readonly service: PrivacyService;
}

interface SwitchChoice {
  readonly default: boolean;
  readonly service: PrivacyService;
}

/**
 * Privacy choices, in the order of the screen: who may contact, add, see, and find the user, and what happens to their
 * data. The API, the storage, the account's replies, and the screen follow from these rows.
 */
export const privacyChoices = {
  /** People whose first messages arrive normally. First messages from strangers become requests. */
  messagesFrom: { options: audiences, default: 'everyone', service: 'identity' },
  /** People whose calls ring. People whose chat the user accepted count as contacts. */
  callsFrom: { options: audiences, default: 'contacts', service: 'identity' },
  /** People who may add the user to groups without asking. People whose chat the user accepted count as contacts. */
  groupsFrom: { options: audiences, default: 'contacts', service: 'identity' },
  /** Audience of presence and status message. */
  presenceVisibility: { options: audiences, default: 'everyone', service: 'identity' },
  /** Audience of the last-seen time. Users who hide theirs from another user do not see that user's. */
  lastSeenVisibility: { options: audiences, default: 'contacts', service: 'identity' },
  pictureVisibility: { options: audiences, default: 'everyone', service: 'identity' },
  /** True if people other than contacts can find the user by name. */
  discoverable: { default: false, service: 'identity' },
  /** True if delivered and read receipts are shared. Users who do not share theirs see none. */
  shareReceipts: { default: true, service: 'chat' },
  /** True if the voice notes that the user sends may be transcribed (decision 32). */
  transcribeVoiceNotes: { default: false, service: 'identity' },
  /** True if calls go through the SFU, so that the other side does not learn the IP address. */
  relayCalls: { default: false, service: 'meetings' },
} as const satisfies Readonly<Record<string, OptionChoice<Audience> | SwitchChoice>>;

type Choices = typeof privacyChoices;
export type PrivacyChoice = keyof Choices;
/** Choices that a service stores. */
export type PrivacyChoiceOf<Service extends PrivacyService> = {
  [Name in PrivacyChoice]: Choices[Name]['service'] extends Service ? Name : never;
}[PrivacyChoice];

/** Values of all choices. */
export type PrivacySettings = {
  [Name in PrivacyChoice]: Choices[Name] extends OptionChoice<infer Option> ? Option : boolean;
};
export type PrivacySettingsOf<Service extends PrivacyService> = Pick<PrivacySettings, PrivacyChoiceOf<Service>>;

export const privacyChoiceNames = Object.keys(privacyChoices) as readonly PrivacyChoice[];

/** Settings of a new account. */
export const defaultPrivacySettings = Object.fromEntries(
  privacyChoiceNames.map((name) => [name, privacyChoices[name].default]),
) as PrivacySettings;

/** Lists the choices that a service stores. */
export const listPrivacyChoices = <Service extends PrivacyService>(service: Service) =>
  privacyChoiceNames.filter((name) => privacyChoices[name].service === service) as PrivacyChoiceOf<Service>[];

/** Picks the choices that a service stores. */
export function pickPrivacyChoices<
  Service extends PrivacyService,
  From extends { readonly [Name in PrivacyChoiceOf<Service>]?: unknown },
>(service: Service, from: From): Pick<From, PrivacyChoiceOf<Service>> {
  const names = listPrivacyChoices(service);
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<From, PrivacyChoiceOf<Service>>;
}

/** Returns the options of a choice, or undefined for a switch. */
export function privacyOptionsOf(name: PrivacyChoice): OptionChoice<Audience>['options'] | undefined {
  const choice = privacyChoices[name];
  return 'options' in choice ? choice.options : undefined;
}
