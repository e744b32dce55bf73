import { ListFilter } from 'lucide-react';
import { Button } from './Button.tsx';
import { DropdownMenu, MenuChoice } from './DropdownMenu.tsx';

interface FilterMenuProps<Value extends string> {
  label: string;
  /** `all` filters nothing. */
  value: Value;
  values: readonly Value[];
  labelOf: (value: Value) => string;
  onChange: (value: Value) => void;
}

/** Button that names the filter of a list, and opens the choice. */
export function FilterMenu<Value extends string>({ label, value, values, labelOf, onChange }: FilterMenuProps<Value>) {
  return (
    <DropdownMenu
      trigger={
        <Button
          kind={value === 'all' ? 'quiet' : 'secondary'}
          size="small"
          className={value === 'all' ? '-me-3' : undefined}
          icon={<ListFilter aria-hidden="true" />}
        >
          {label}
          {value !== 'all' && <span className="text-accent-text">{labelOf(value)}</span>}
        </Button>
      }
    >
      <MenuChoice
        label={label}
        value={value}
        onValueChange={onChange}
        options={values.map((one) => ({ value: one, label: labelOf(one) }))}
      />
    </DropdownMenu>
  );
}
