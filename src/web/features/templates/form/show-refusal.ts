import { duplicateVariable } from '#contract/templates.ts';
import { notifyError } from '#web/ui/notify.tsx';
import type { Added } from './draft.ts';

/** Shows why a variable was not added and returns the sentence for its field. */
export function showRefusal(refused: Exclude<Added, { outcome: 'added' }>): string {
  switch (refused.outcome) {
    case 'twice':
      notifyError('Variable already exists', duplicateVariable);
      return duplicateVariable;
    case 'refused':
      return /^[A-Z]/.test(refused.reason) ? refused.reason : `The name ${refused.reason}`;
    default:
      return refused satisfies never;
  }
}
