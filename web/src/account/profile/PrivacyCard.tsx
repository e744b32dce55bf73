import { routes, type RouteBodyInput, type Self } from '@nolo/api';
import { audiences, type Audience } from '@nolo/rules';
import { useState } from 'react';
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

/** Settings that each choose an audience, in the order of the card. */
const audienceFields = [
  'messagesFrom',
  'callsFrom',
  'groupsFrom',
  'presenceVisibility',
  'lastSeenVisibility',
  'pictureVisibility',
] as const;

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
  const ownSwitch = (
    field: 'discoverable' | 'shareReceipts' | 'transcribeVoiceNotes' | 'relayCalls',
    words: 'discoverable' | 'receipts' | 'transcription' | 'relayCalls',
  ) => (
    <Switch
      label={t(`profile:${words}`)}
      hint={t(`profile:${words}Hint`)}
      checked={self[field] === true}
      onCheckedChange={(on) => set({ [field]: on })}
    />
  );

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
        {audienceFields
          .filter((field) => (field !== 'callsFrom' || self.relayCalls !== null) && (field !== 'groupsFrom' || groups))
          .map((field) => {
            const words = field === 'presenceVisibility' ? 'visibility' : field;
            return (
              <WhoMay
                key={field}
                title={t(`profile:${words}`)}
                hint={t(`profile:${words}Hint`)}
                value={self[field]}
                onValueChange={(value) => set({ [field]: value })}
              />
            );
          })}
        {ownSwitch('discoverable', 'discoverable')}
        {ownSwitch('shareReceipts', 'receipts')}
        <LinkPreviewSwitch />
        {transcription && ownSwitch('transcribeVoiceNotes', 'transcription')}
        {self.relayCalls !== null && ownSwitch('relayCalls', 'relayCalls')}
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

interface WhoMayProps {
  title: string;
  hint: string;
  value: Audience;
  onValueChange: (value: Audience) => void;
}

/** Choice between everyone, contacts and nobody. */
function WhoMay({ title, hint, value, onValueChange }: WhoMayProps) {
  const { t } = useTexts(profileTexts);
  return (
    <div className="flex flex-col gap-2.5">
      <div>
        <p className="text-14 font-medium">{title}</p>
        <p className="mt-0.5 text-13 text-muted">{hint}</p>
      </div>
      <Segmented<Audience>
        label={title}
        value={value}
        onValueChange={onValueChange}
        options={audiences.map((one) => ({ value: one, label: t(`profile:visibilities.${one}`) }))}
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
