import { useDeleteAccount } from '#web/api/profile.ts';
import { useForgetSession } from '#web/features/auth/sign-out.ts';
import { notifySuccess } from '#web/ui/notify.tsx';
import { TypeToDeleteDialog } from '#web/ui/TypeToDeleteDialog.tsx';

type DeleteAccountDialogProps = { email: string; opened: boolean; onClose: () => void };

/** Asks for the account's address before it is deleted. */
export function DeleteAccountDialog({ email, ...dialog }: DeleteAccountDialogProps) {
  const { mutateAsync, isPending } = useDeleteAccount();
  const forgetSession = useForgetSession();
  const remove = async (typed: string) => {
    await mutateAsync(typed);
    notifySuccess('Account deleted', 'You are signed out everywhere.');
    await forgetSession();
  };
  return (
    <TypeToDeleteDialog
      title="Delete your account?"
      expected={email}
      isExpected={(typed) => typed.toLowerCase() === email}
      label={`Type ${email} to confirm`}
      maxLength={320}
      deleteLabel="Delete account"
      failure="Error deleting your account"
      isBusy={isPending}
      onDelete={remove}
      {...dialog}
    >
      This cannot be undone.
    </TypeToDeleteDialog>
  );
}
