import type { SecurityNotice } from '@nolo/api';
import { useLocale } from '../../i18n/locale.ts';
import { useNow } from '../../shell/useNow.ts';
import { formatTimeSince } from '../../i18n/relativeTime.ts';
import { toProviderHost } from './toProviderHost.ts';
import { useDeviceNameFormatter } from './useDeviceNameFormatter.ts';
import { useTexts } from '../../i18n/texts.ts';
import { securityTexts } from './securityTexts.ts';

interface FormattedNotice {
  what: string;
  device: string;
  when: string;
}

/** Formats a notice. Numbers are isolated, because they read from left to right in every language. */
export function useNoticeFormatter(): (notice: SecurityNotice) => FormattedNotice {
  const { t } = useTexts(securityTexts);
  const locale = useLocale();
  const now = useNow();
  const device = useDeviceNameFormatter();
  const isolated = (number: string | null) => `\u2066${number ?? ''}\u2069`;
  const where = ({ kind, byThisSession, userAgent }: SecurityNotice): string => {
    if (byThisSession) return t('security:byThisDevice');
    // Behind "A device was added", a bare name would read as that of the added device.
    return kind === 'device_added' ? t('security:confirmedOn', { device: device(userAgent) }) : device(userAgent);
  };
  return (notice) => ({
    what: t(`security:kinds.${notice.kind}`, {
      to: isolated(notice.phoneNumber),
      from: isolated(notice.previousPhoneNumber),
      mail: isolated(notice.email),
      formerMail: isolated(notice.previousEmail),
      name: notice.tokenName ?? '',
      passkey: notice.passkeyName ?? '',
      // Built only for the few notices with a date: mostly there are no notices at all.
      date:
        notice.opensAt === null
          ? ''
          : new Intl.DateTimeFormat(locale, { dateStyle: 'long' }).format(Date.parse(notice.opensAt)),
      provider: toProviderHost(notice.issuer ?? ''),
    }),
    device: where(notice),
    when: formatTimeSince(Date.parse(notice.createdAt), now, t),
  });
}
