import { limits } from '@nolo/rules';
import { TextArea } from '../ui/TextArea.tsx';
import { TextField, type TextFieldProps } from '../ui/TextField.tsx';
import { useTexts } from '../i18n/texts.ts';
import { groupsTexts } from './groupsTexts.ts';

interface GroupNameFieldProps extends Pick<TextFieldProps, 'ref' | 'label' | 'placeholder' | 'error'> {
  value: string;
  onValueChange: (name: string) => void;
}

/** Field for the name of a group. */
export function GroupNameField({ onValueChange, ...props }: GroupNameFieldProps) {
  return (
    <TextField
      {...props}
      dir="auto"
      autoComplete="off"
      maxLength={limits.groupNameLength}
      onChange={(event) => onValueChange(event.target.value)}
    />
  );
}

/** Field for the description of a group. */
export function GroupDescriptionField(props: { value: string; onValueChange: (description: string) => void }) {
  const { t } = useTexts(groupsTexts);
  return (
    <TextArea
      dir="auto"
      maxLength={limits.groupDescriptionLength}
      label={t('groups:form.description')}
      value={props.value}
      onChange={(event) => props.onValueChange(event.target.value)}
    />
  );
}
