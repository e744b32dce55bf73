import { groupSettingNames, type GroupSettingName } from '@nolo/rules';
import { Globe, Lock } from 'lucide-react';
import { useId } from 'react';
import { useStore } from 'zustand';
import { featureStore } from '../session/features.ts';
import { Segmented } from '../ui/Segmented.tsx';
import { Switch } from '../ui/Switch.tsx';
import { useTexts } from '../i18n/texts.ts';
import { groupsTexts } from './groupsTexts.ts';

const wordsOf = {
  allowFileSharing: 'fileSharing',
  allowScreenShare: 'screenShare',
  allowRecording: 'recording',
  moderationEnabled: 'moderation',
} as const satisfies Record<GroupSettingName, string>;

export interface GroupSwitchesProps {
  values: Readonly<Record<GroupSettingName, boolean>>;
  onChange: (change: Partial<Record<GroupSettingName, boolean>>) => void;
  disabled?: boolean;
}

export function GroupSwitches({ values, onChange, disabled = false }: GroupSwitchesProps) {
  const { t } = useTexts(groupsTexts);
  const label = useId();
  const calls = useStore(featureStore, (state) => state.features['calls'] === true);
  const shown = groupSettingNames.filter((name) => calls || (name !== 'allowScreenShare' && name !== 'allowRecording'));
  return (
    <div role="group" aria-labelledby={label}>
      <p id={label} className="mb-1 text-13 font-medium">
        {t('groups:form.settings')}
      </p>
      {shown.map((name) => (
        <Switch
          key={name}
          disabled={disabled}
          label={t(`groups:form.${wordsOf[name]}`)}
          hint={t(`groups:form.${wordsOf[name]}Hint`)}
          checked={values[name]}
          onCheckedChange={(checked) => onChange({ [name]: checked })}
        />
      ))}
    </div>
  );
}

export function GroupVisibility(props: { isPublic: boolean; onChange: (change: { isPublic: boolean }) => void }) {
  const { isPublic, onChange } = props;
  const { t } = useTexts(groupsTexts);
  return (
    <div>
      <p aria-hidden="true" className="mb-1.5 text-13 font-medium">
        {t('groups:form.who')}
      </p>
      <Segmented
        label={t('groups:form.who')}
        value={isPublic ? 'public' : 'private'}
        onValueChange={(value) => onChange({ isPublic: value === 'public' })}
        options={[
          { value: 'public', label: t('groups:form.public'), icon: <Globe aria-hidden="true" /> },
          { value: 'private', label: t('groups:form.private'), icon: <Lock aria-hidden="true" /> },
        ]}
      />
      <p className="mt-1.5 text-13 text-muted">{t(isPublic ? 'groups:form.publicHint' : 'groups:form.privateHint')}</p>
    </div>
  );
}
