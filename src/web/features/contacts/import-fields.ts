import { type ColumnChoice, columnFields, type ImportColumn } from '#contract/contact-imports.ts';
import { contactFieldTitles } from '#domain/contact-fields.ts';

type Field = ImportColumn['field'];

const fieldWords: Record<Field, string> = {
  ...contactFieldTitles,
  consent_at: 'Agreed at',
  variable: 'Value',
  ignored: 'Leave out',
};

/** What a column may become. */
export const fieldChoices = columnFields.map((value) => ({ value, label: fieldWords[value] }));

export const fieldInWords = ({ field, variable }: Pick<ImportColumn, 'field' | 'variable'>): string =>
  variable === null ? (field === 'ignored' ? 'left out' : fieldWords[field].toLowerCase()) : `{{${variable}}}`;

/** The choices with another field for one column. A column that had this field is left out. */
export function withField(
  columns: readonly ImportColumn[],
  { at, field }: { at: number; field: Field },
): ColumnChoice[] {
  const isSingle = field !== 'variable' && field !== 'ignored';
  return columns.map((column, index) => {
    if (index === at) return { field, variable: null };
    if (isSingle && column.field === field) return { field: 'ignored', variable: null };
    return { field: column.field, variable: column.variable };
  });
}
