import { deviceName } from '@nolo/rules';
import { useTranslation } from 'react-i18next';

/** How a device is called: "Firefox on Linux". */
export function useDeviceName(): (userAgent: string) => string {
  const { t } = useTranslation();
  return (userAgent) => {
    const { browser, system } = deviceName(userAgent);
    if (browser !== null && system !== null) return t('security.deviceOn', { browser, system });
    return browser ?? system ?? t('security.unknownDevice');
  };
}
