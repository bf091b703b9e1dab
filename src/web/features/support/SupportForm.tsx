import { Button, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import {
  supportCategories,
  type SupportCategory,
  supportCategoryNames,
  supportLimits,
  SupportRequestInput,
} from '#contract/support.ts';
import { ApiError } from '#web/api/client.ts';
import { useSession } from '#web/api/session.ts';
import { submitSupportRequest } from '#web/api/support.ts';
import { fieldErrors } from '#web/ui/field-errors.ts';
import { clearToasts, notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import { useSubmit } from '#web/ui/use-submit.ts';
import classes from './support.module.css';

type Draft = {
  email: string;
  category: SupportCategory | null;
  subject: string;
  message: string;
  leave_empty: string;
};

const choices = supportCategories.map((value) => ({ value, label: supportCategoryNames[value] }));
const empty: Draft = { email: '', category: null, subject: '', message: '', leave_empty: '' };

/** Asks support; needs no account. */
export function SupportForm() {
  const session = useSession();
  const form = useForm<Draft>({
    mode: 'controlled',
    initialValues: empty,
    validate: (draft) => {
      const parsed = SupportRequestInput.safeParse(draft);
      return parsed.success ? {} : fieldErrors(parsed.error.issues);
    },
  });
  const email = session?.user.email;
  const { setFieldValue } = form;
  useEffect(() => {
    if (email !== undefined) setFieldValue('email', (typed) => typed || email);
  }, [email, setFieldValue]);
  const submission = useMutation({
    onMutate: clearToasts,
    mutationFn: submitSupportRequest,
    onSuccess: () => {
      notifySuccess('Support request submitted', "We'll get back to you within 24 hours.");
      form.setValues({ ...empty, email: form.values.email });
      form.clearErrors();
    },
    onError: (error) => {
      notifyFailure('Error submitting the request', error);
      if (error instanceof ApiError) form.setErrors(fieldErrors(error.fields));
    },
  });
  const submit = useSubmit(async () => {
    const { hasErrors, errors } = form.validate();
    const [first] = Object.keys(errors);
    if (hasErrors && first !== undefined) return form.getInputNode(first)?.focus();
    const parsed = SupportRequestInput.safeParse(form.values);
    // Its errors are shown by the mutation.
    if (parsed.success) await submission.mutateAsync(parsed.data).catch(() => {});
  });
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap={16}>
        <TextInput label="Email" type="email" autoComplete="email" required {...form.getInputProps('email')} />
        <Select label="Category" placeholder="Choose one" data={choices} required {...form.getInputProps('category')} />
        <TextInput label="Subject" maxLength={supportLimits.subject} required {...form.getInputProps('subject')} />
        <Textarea
          label="Message"
          autosize
          minRows={5}
          maxRows={14}
          maxLength={supportLimits.message}
          required
          {...form.getInputProps('message')}
        />
        <div className={classes.trap} aria-hidden>
          <label>
            Leave this empty
            <input type="text" tabIndex={-1} autoComplete="off" {...form.getInputProps('leave_empty')} />
          </label>
        </div>
        <div>
          <Button type="submit" loading={submission.isPending}>
            Submit request
          </Button>
        </div>
      </Stack>
    </form>
  );
}
