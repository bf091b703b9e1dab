import type { ReactNode } from 'react';
import { supportCategories, supportCategoryNames, supportLimits } from '#contract/support.ts';
import { slot } from '#pages/slots.ts';
import { Unless, When } from '#pages/When.tsx';

/** Asks support; needs no account. Without a script it gives the address that reads requests. */
export const RequestForm = () => (
  <>
    <noscript>
      <style>{'[data-support-request] { display: none }'}</style>
      <p>
        <When set="supportEmail">
          This form needs JavaScript. Write to <a href={`mailto:${slot('supportEmail')}`}>{slot('supportEmail')}</a>{' '}
          instead.
        </When>
        <Unless set="supportEmail">This form needs JavaScript.</Unless>
      </p>
    </noscript>
    <form className="fields" method="post" noValidate data-support-request="/api/support-requests">
      <Field name="email" label="Email">
        <input {...inputNamed('email')} type="email" autoComplete="email" />
      </Field>
      <Field name="category" label="Category">
        <select {...inputNamed('category')} defaultValue="">
          <option value="" hidden>
            Choose one
          </option>
          {supportCategories.map((category) => (
            <option key={category} value={category}>
              {supportCategoryNames[category]}
            </option>
          ))}
        </select>
      </Field>
      <Field name="subject" label="Subject">
        <input {...inputNamed('subject')} maxLength={supportLimits.subject} autoComplete="off" />
      </Field>
      <Field name="message" label="Message">
        <textarea {...inputNamed('message')} rows={6} maxLength={supportLimits.message} />
      </Field>
      {/* Programs fill in every field; people do not see this one. */}
      <label className="trap" aria-hidden="true">
        Leave this empty
        <input name="leave_empty" tabIndex={-1} autoComplete="off" />
      </label>
      <div className="answer" role="status" />
      <div>
        <button className="button primary" type="submit">
          Submit request
        </button>
      </div>
    </form>
  </>
);

type Name = 'email' | 'category' | 'subject' | 'message';

const inputNamed = (name: Name) => ({ id: name, name, required: true, 'aria-describedby': `${name}-problem` }) as const;

const Field = ({ name, label, children }: { name: Name; label: string; children: ReactNode }) => (
  <div className="field">
    <label htmlFor={name}>{label}</label>
    {children}
    <p className="problem" id={`${name}-problem`} />
  </div>
);
