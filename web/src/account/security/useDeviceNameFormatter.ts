import { deviceName } from '@nolo/rules';
import { useTranslation } from 'react-i18next';

/** Returns a function that names a device, such as "Firefox on Linux". */
export function useDeviceNameFormatter(): (userAgent: string) => string {
  const { t } = useTranslation();
  return (userAgent) => {
    const { browser, system } = deviceName(userAgent);
    if (browser !== null && system !== null) return t('security.deviceOn', { browser, system });
    return browser ?? system ?? t('security.unknownDevice');
  };
}
