import { deviceName } from '@nolo/rules';
import { useTexts } from '../../i18n/texts.ts';
import { securityTexts } from './securityTexts.ts';

/** Returns a function that names a device, such as "Firefox on Linux". */
export function useDeviceNameFormatter(): (userAgent: string) => string {
  const { t } = useTexts(securityTexts);
  return (userAgent) => {
    const { browser, system } = deviceName(userAgent);
    if (browser !== null && system !== null) return t('security:deviceOn', { browser, system });
    return browser ?? system ?? t('security:unknownDevice');
  };
}
