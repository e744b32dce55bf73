import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { featureStore } from '../../session/features.ts';
import { getLinkPreviewChoiceStore } from '../../chat/context/linkPreviewChoice.ts';
import { Switch } from '../../ui/Switch.tsx';

/** Switch for previews of the user's own links, on this device. */
export function LinkPreviewSwitch() {
  const { t } = useTranslation();
  const exist = useStore(featureStore, (state) => state.features['linkPreviews'] === true);
  const setting = getLinkPreviewChoiceStore();
  const choice = useStore(setting, (state) => state.choice);
  if (!exist) return null;
  return (
    <Switch
      label={t('profile.linkPreviews')}
      hint={t('profile.linkPreviewsHint')}
      checked={choice === 'on'}
      onCheckedChange={(on) => setting.choose(on ? 'on' : 'off')}
    />
  );
}
