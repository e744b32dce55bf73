import { foldText, privacyChoiceNames } from '@nolo/rules';
import {
  Bell,
  CreditCard,
  Database,
  HardDrive,
  Info,
  KeyRound,
  MonitorSmartphone,
  Palette,
  Presentation,
  Shield,
  ShieldCheck,
  UserRound,
  type LucideIcon,
} from 'lucide-react';
import type { Translate } from '../../i18n/texts.ts';
import type { keysTexts } from '../../keys/keysTexts.ts';
import type { factorTexts } from '../factor/factorTexts.ts';
import type { profileTexts } from './profileTexts.ts';
import type { securityTexts } from '../security/securityTexts.ts';

/** Categories shown next to the list, each at `/settings/<category>`. */
const pages = [
  'account',
  'plan',
  'notifications',
  'privacy',
  'devices',
  'storage',
  'appearance',
  'brand',
  'developer',
  'about',
] as const;
export type SettingsPageName = (typeof pages)[number];

/** Returns the category in an address; undefined if the address shows all, or names an unknown one. */
export function settingsPageOf(pathname: string): SettingsPageName | undefined {
  const name = /^\/settings\/([^/]+)\/?$/.exec(pathname)?.[1];
  return pages.find((page) => page === name);
}

/** Returns the address of a category. */
export const settingsAddress = (page: SettingsCategory['page']): string =>
  page === 'admin' ? '/admin' : `/settings/${page}`;

export interface SettingsCategory {
  page: SettingsPageName | 'admin';
  title: string;
  Icon: LucideIcon;
  /** Texts on the page, by which a search finds the category. */
  holds: readonly string[];
}

/** Lists the categories available here, in the order of the list. */
export function listSettingsCategories(
  t: Translate<typeof factorTexts | typeof keysTexts | typeof profileTexts | typeof securityTexts>,
  {
    sells,
    meetings,
    pushes,
    operator = false,
  }: Record<'sells' | 'meetings' | 'pushes', boolean> & { operator?: boolean },
): readonly SettingsCategory[] {
  const usage = [t('profile:storage'), t('profile:transcriptionUsage')];
  const all: readonly (SettingsCategory | false)[] = [
    {
      page: 'account',
      title: t('profile:settings.account'),
      Icon: UserRound,
      holds: [
        t('profile:details'),
        t('profile:statusMessage'),
        t('profile:presence'),
        t('profile:username'),
        t('profile:signInWays'),
        t('profile:linkPhone'),
        t('profile:passkey'),
        t('profile:yourData'),
        t('profile:export'),
        t('profile:deleteAccount'),
      ],
    },
    sells
      ? { page: 'plan', title: t('profile:settings.plan'), Icon: CreditCard, holds: usage }
      : { page: 'plan', title: t('profile:usage'), Icon: HardDrive, holds: usage },
    pushes && {
      page: 'notifications',
      title: t('profile:notifications'),
      Icon: Bell,
      holds: [t('profile:notificationsHold')],
    },
    {
      page: 'privacy',
      title: t('profile:privacy'),
      Icon: Shield,
      holds: [
        t('profile:encryption'),
        t('profile:analytics'),
        ...privacyChoiceNames.map((name) => t(`profile:privacyChoices.${name}.title`)),
        t('profile:blocked'),
        t('profile:linkPreviews'),
      ],
    },
    {
      page: 'devices',
      title: t('profile:devices'),
      Icon: MonitorSmartphone,
      holds: [
        t('profile:signOutOthers'),
        t('keys:add.open'),
        t('keys:recovery.title'),
        t('factor:title'),
        t('factor:lock'),
        t('security:activity'),
      ],
    },
    {
      page: 'storage',
      title: t('profile:settings.storage'),
      Icon: Database,
      holds: [
        t('profile:kept.title'),
        t('profile:inAccount'),
        t('profile:kept.messages'),
        t('profile:kept.pictures'),
        t('profile:kept.drafts'),
      ],
    },
    {
      page: 'appearance',
      title: t('profile:appearance'),
      Icon: Palette,
      holds: [
        t('profile:theme'),
        t('profile:themeDark'),
        t('profile:themeLight'),
        t('profile:textSize'),
        t('profile:density'),
        t('profile:language'),
      ],
    },
    meetings && {
      page: 'brand',
      title: t('profile:branding'),
      Icon: Presentation,
      holds: [t('profile:brandingText')],
    },
    { page: 'developer', title: t('profile:apiAccess'), Icon: KeyRound, holds: [t('profile:apiAccessText')] },
    operator && { page: 'admin', title: t('profile:admin'), Icon: ShieldCheck, holds: [t('profile:adminText')] },
    {
      page: 'about',
      title: t('profile:help'),
      Icon: Info,
      holds: [t('profile:about'), t('profile:ticks'), t('legal.privacy'), t('legal.terms')],
    },
  ];
  return all.filter((one) => one !== false);
}

/** Finds the categories that contain the typed text in their name or on their page. */
export function findCategories(categories: readonly SettingsCategory[], typed: string): readonly SettingsCategory[] {
  const wanted = foldText(typed.trim());
  return categories.filter(({ title, holds }) => [title, ...holds].some((text) => foldText(text).includes(wanted)));
}
