import type { ReactNode } from 'react';
import { slot } from '#pages/slots.ts';
import { Unless, When } from '#pages/When.tsx';

/** By mail, by chat, by phone. */
export const ContactCards = () => (
  <div className="contacts">
    <Contact icon="mail" title="Email support" note="Response within 24 hours">
      <p className="address">
        <When set="supportEmail">
          <a href={`mailto:${slot('supportEmail')}`}>{slot('supportEmail')}</a>
        </When>
        <Unless set="supportEmail">Use the form below.</Unless>
      </p>
    </Contact>
    <Contact
      icon="chat"
      title="Live chat"
      note="Mon-Fri 9 AM-6 PM PST"
      badge={<span className="badge">Coming Soon</span>}
    />
    <Contact icon="phone" title="Phone support" note="Enterprise only">
      <p className="address" data-without-phone>
        The number is shown here once a workspace of yours has the plan.
      </p>
      <p className="address" data-with-phone hidden>
        <When set="supportPhone">
          <a href={`tel:${slot('supportPhoneDigits')}`}>{slot('supportPhone')}</a>
        </When>
        <Unless set="supportPhone">This installation names no number.</Unless>
      </p>
    </Contact>
  </div>
);

const icons = {
  mail: 'M3 7a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2zM3 7l9 6 9-6',
  chat: 'M4 4h16v12H8l-4 4zM8 9h8M8 12h5',
  phone: 'M5 4h4l2 5-2.5 1.5a11 11 0 0 0 5 5L15 13l5 2v4a2 2 0 0 1-2 2A16 16 0 0 1 3 6a2 2 0 0 1 2-2',
} as const;

type ContactProps = {
  icon: keyof typeof icons;
  title: string;
  note: string;
  badge?: ReactNode;
  children?: ReactNode;
};

const Contact = ({ icon, title, note, badge, children }: ContactProps) => (
  <section className="card" aria-label={title}>
    <div className="contact">
      <svg className="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
        <path d={icons[icon]} />
      </svg>
      <h2>{title}</h2>
      {badge}
    </div>
    <p className="quiet">{note}</p>
    {children}
  </section>
);
