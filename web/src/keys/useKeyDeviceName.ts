import { deviceName } from '@nolo/rules';
import { useTexts } from '../i18n/texts.ts';
import { keysTexts } from './keysTexts.ts';

/**
 * Returns a function that names a device by its User-Agent, such as "Firefox on Linux".
 *
 * @param unknown name of a device without one: 'formerDevice' for one that this device never knew
 */
export function useKeyDeviceName(
  unknown: 'unknownDevice' | 'formerDevice' = 'unknownDevice',
): (userAgent: string) => string {
  const { t } = useTexts(keysTexts);
  return (userAgent) => {
    const { browser, system } = deviceName(userAgent);
    if (browser !== null && system !== null) return t('keys:deviceOn', { browser, system });
    return browser ?? system ?? t(`keys:${unknown}`);
  };
}
