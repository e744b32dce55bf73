import { routes, type RouteBodyInput, type Self } from '@nolo/api';
import { privacyChoiceNames, privacyOptionsOf, type Audience, type PrivacyChoice } from '@nolo/rules';
import { Fragment, useState } from 'react';
import { useStore } from 'zustand';
import { call } from '../../api/httpClient.ts';
import { configStore } from '../../session/config.ts';
import { useSelf } from '../../session/self.ts';
import { featureStore } from '../../session/features.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { getLinkPreviewChoiceStore } from '../../chat/context/linkPreviewChoice.ts';
import { BlockedPeopleDialog } from '../../people/BlockedPeopleDialog.tsx';
import { useUpdateSelf } from './useUpdateSelf.ts';
import { useTexts } from '../../i18n/texts.ts';
import { contactsTexts } from '../../people/contactsTexts.ts';
import { profileTexts } from './profileTexts.ts';

/** Settings for who may see and find the user, and what Nolo does and does not do yet (decisions 34 and 35). */
export function PrivacyCard() {
  const { t } = useTexts(contactsTexts, profileTexts);
  const self = useSelf();
  const update = useUpdateSelf();
  const transcription = useStore(featureStore, (state) => state.features['transcription'] === true);
  const groups = useStore(featureStore, (state) => state.features['groups'] === true);
  const keptDays = useStore(configStore, ({ config }) => config?.messagesKeptDays);
  const encryption = useStore(featureStore, (state) => state.features['endToEndEncryption'] === true);
  const [blockedOpen, setBlockedOpen] = useState(false);
  const set = (privacy: RouteBodyInput<typeof routes.updatePrivacy> & Partial<Self>) =>
    void update.run({ change: privacy, save: () => call(routes.updatePrivacy, { body: privacy }) });
  const calls = self.relayCalls !== null;
  /** Choices about what this installation may lack. */
  const available: Partial<Record<PrivacyChoice, boolean>> = {
    callsFrom: calls,
    groupsFrom: groups,
    transcribeVoiceNotes: transcription,
    relayCalls: calls,
  };

  return (
    <Card title={t('profile:privacy')}>
      <div className="flex flex-col divide-y divide-line [&>*]:py-3 [&>*:first-child]:pt-0 [&>*:last-child]:pb-0">
        <Switch
          label={t('profile:encryption')}
          {...(!encryption && {
            hint: t('profile:encryptionHint'),
            badge: <Badge tone="warning">{t('common.inDevelopment')}</Badge>,
          })}
          checked
          disabled
        />
        <Switch label={t('profile:analytics')} hint={t('profile:analyticsHint')} checked={false} disabled />
        {privacyChoiceNames
          .filter((name) => available[name] ?? true)
          .map((name) => (
            <Fragment key={name}>
              <PrivacyControl name={name} value={self[name]} onValueChange={(value) => set({ [name]: value })} />
              {name === 'shareReceipts' && <LinkPreviewSwitch />}
            </Fragment>
          ))}
        {keptDays !== undefined && (
          <p className="text-13 text-muted">{t('profile:messagesKept', { count: keptDays })}</p>
        )}
        <div className="flex items-center justify-between gap-4">
          <div className="min-w-0">
            <p className="text-14 font-medium">{t('contacts:blockedTitle')}</p>
            <p className="mt-0.5 text-13 text-muted">{t('contacts:blockedHint')}</p>
          </div>
          <Button kind="secondary" size="small" onClick={() => setBlockedOpen(true)}>
            {t('contacts:showBlocked')}
          </Button>
        </div>
      </div>
      <BlockedPeopleDialog open={blockedOpen} onOpenChange={setBlockedOpen} />
    </Card>
  );
}

interface PrivacyControlProps {
  name: PrivacyChoice;
  value: Self[PrivacyChoice];
  onValueChange: (value: Audience | boolean) => void;
}

/** Control of one privacy choice: its options side by side, or a switch. */
function PrivacyControl({ name, value, onValueChange }: PrivacyControlProps) {
  const { t } = useTexts(profileTexts);
  const title = t(`profile:privacyChoices.${name}.title`);
  const hint = t(`profile:privacyChoices.${name}.hint`);
  const options = privacyOptionsOf(name);
  if (!options) return <Switch label={title} hint={hint} checked={value === true} onCheckedChange={onValueChange} />;
  return (
    <div className="flex flex-col gap-2.5">
      <div>
        <p className="text-14 font-medium">{title}</p>
        <p className="mt-0.5 text-13 text-muted">{hint}</p>
      </div>
      <Segmented<Audience>
        label={title}
        value={value as Audience}
        onValueChange={onValueChange}
        options={options.map((one) => ({ value: one, label: t(`profile:visibilities.${one}`) }))}
      />
    </div>
  );
}

/** Switch for previews of the user's own links, on this device. */
function LinkPreviewSwitch() {
  const { t } = useTexts(profileTexts);
  const exist = useStore(featureStore, (state) => state.features['linkPreviews'] === true);
  const setting = getLinkPreviewChoiceStore();
  const choice = useStore(setting, (state) => state.choice);
  if (!exist) return null;
  return (
    <Switch
      label={t('profile:linkPreviews')}
      hint={t('profile:linkPreviewsHint')}
      checked={choice === 'on'}
      onCheckedChange={(on) => setting.choose(on ? 'on' : 'off')}
    />
  );
}
