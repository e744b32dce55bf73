import type { RouteBodyInput, Self } from '@nolo/api';
import { routes } from '@nolo/api';
import type { Audience } from '@nolo/rules';
import { audiences } from '@nolo/rules';
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
import { BlockedPeopleDialog } from '../../people/BlockedPeopleDialog.tsx';
import { LinkPreviewSwitch } from './LinkPreviewSwitch.tsx';
import { useUpdateSelf } from './useUpdateSelf.ts';
import { useContactsWords } from '../../people/useContactsWords.ts';

/** Settings for who may see and find the user, and what Nolo does and does not do yet (decisions 34 and 35). */
export function PrivacyCard() {
  const { t } = useContactsWords();
  const self = useSelf();
  const change = useUpdateSelf();
  const transcription = useStore(featureStore, (state) => state.features['transcription'] === true);
  const groups = useStore(featureStore, (state) => state.features['groups'] === true);
  const keptDays = useStore(configStore, ({ config }) => config?.messagesKeptDays);
  const encryption = useStore(featureStore, (state) => state.features['endToEndEncryption'] === true);
  const [blockedOpen, setBlockedOpen] = useState(false);
  const set = (privacy: RouteBodyInput<typeof routes.updatePrivacy> & Partial<Self>) =>
    void change(privacy, () => call(routes.updatePrivacy, { body: privacy }));

  return (
    <Card title={t('profile.privacy')}>
      <div className="flex flex-col divide-y divide-line [&>*]:py-3 [&>*:first-child]:pt-0 [&>*:last-child]:pb-0">
        <Switch
          label={t('profile.encryption')}
          {...(!encryption && {
            hint: t('profile.encryptionHint'),
            badge: <Badge tone="warning">{t('common.inDevelopment')}</Badge>,
          })}
          checked={encryption}
          disabled
        />
        <Switch label={t('profile.analytics')} hint={t('profile.analyticsHint')} checked={false} disabled />
        <WhoMay
          title={t('profile.messagesFrom')}
          hint={t('profile.messagesFromHint')}
          value={self.messagesFrom}
          onValueChange={(messagesFrom) => set({ messagesFrom })}
        />
        {self.relayCalls !== null && (
          <WhoMay
            title={t('profile.callsFrom')}
            hint={t('profile.callsFromHint')}
            value={self.callsFrom}
            onValueChange={(callsFrom) => set({ callsFrom })}
          />
        )}
        {groups && (
          <WhoMay
            title={t('profile.groupsFrom')}
            hint={t('profile.groupsFromHint')}
            value={self.groupsFrom}
            onValueChange={(groupsFrom) => set({ groupsFrom })}
          />
        )}
        <WhoMay
          title={t('profile.visibility')}
          hint={t('profile.visibilityHint')}
          value={self.presenceVisibility}
          onValueChange={(presenceVisibility) => set({ presenceVisibility })}
        />
        <WhoMay
          title={t('profile.lastSeenVisibility')}
          hint={t('profile.lastSeenVisibilityHint')}
          value={self.lastSeenVisibility}
          onValueChange={(lastSeenVisibility) => set({ lastSeenVisibility })}
        />
        <WhoMay
          title={t('profile.pictureVisibility')}
          hint={t('profile.pictureVisibilityHint')}
          value={self.pictureVisibility}
          onValueChange={(pictureVisibility) => set({ pictureVisibility })}
        />
        <Switch
          label={t('profile.discoverable')}
          hint={t('profile.discoverableHint')}
          checked={self.discoverable}
          onCheckedChange={(discoverable) => set({ discoverable })}
        />
        <Switch
          label={t('profile.receipts')}
          hint={t('profile.receiptsHint')}
          checked={self.shareReceipts}
          onCheckedChange={(shareReceipts) => set({ shareReceipts })}
        />
        <LinkPreviewSwitch />
        {transcription && (
          <Switch
            label={t('profile.transcription')}
            hint={t('profile.transcriptionHint')}
            checked={self.transcribeVoiceNotes}
            onCheckedChange={(transcribeVoiceNotes) => set({ transcribeVoiceNotes })}
          />
        )}
        {self.relayCalls !== null && (
          <Switch
            label={t('profile.relayCalls')}
            hint={t('profile.relayCallsHint')}
            checked={self.relayCalls}
            onCheckedChange={(relayCalls) => set({ relayCalls })}
          />
        )}
        {keptDays !== undefined && (
          <p className="text-13 text-muted">{t('profile.messagesKept', { count: keptDays })}</p>
        )}
        <div className="flex items-center justify-between gap-4">
          <div className="min-w-0">
            <p className="text-14 font-medium">{t('contacts.blockedTitle')}</p>
            <p className="mt-0.5 text-13 text-muted">{t('contacts.blockedHint')}</p>
          </div>
          <Button kind="secondary" size="small" onClick={() => setBlockedOpen(true)}>
            {t('contacts.showBlocked')}
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
  const { t } = useContactsWords();
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
        options={audiences.map((one) => ({ value: one, label: t(`profile.visibilities.${one}`) }))}
      />
    </div>
  );
}
