import { Button, Card, Title } from '@mantine/core';
import { IconBook2, IconVideo } from '@tabler/icons-react';
import { PublicPage } from '#web/ui/PublicPage.tsx';
import { ContactCards } from './ContactCards.tsx';
import { questions } from './questions.tsx';
import classes from './support.module.css';
import { SupportForm } from './SupportForm.tsx';
import { SystemStatus } from './SystemStatus.tsx';

/** The ways to get help, what works at the moment, and what people ask most. */
export const SupportScreen = () => (
  <PublicPage title="Support" subtitle="Ask us, see what works at the moment, or find the answer below.">
    <div className={classes.sections}>
      <SystemStatus />
      <ContactCards />
      <div className={classes.columns}>
        <Card component="section" aria-labelledby="request">
          <Title order={2} id="request" size="h3" mb={16}>
            Send a request
          </Title>
          <SupportForm />
        </Card>
        <Card component="section" aria-labelledby="learn">
          <Title order={2} id="learn" size="h3" mb={16}>
            Learn more
          </Title>
          <div className={classes.learn}>
            <Button component="a" href="/docs" variant="default" leftSection={<IconBook2 size={16} aria-hidden />}>
              Documentation
            </Button>
            <Button
              component="a"
              href="/docs/tutorials"
              variant="default"
              leftSection={<IconVideo size={16} aria-hidden />}
            >
              Video tutorials
            </Button>
            <p className={classes.quiet}>How everything works, and three short walk-throughs.</p>
          </div>
        </Card>
      </div>
      <section aria-labelledby="questions">
        <Title order={2} id="questions" size="h3" mb={12}>
          Frequently asked questions
        </Title>
        <Card padding={0}>
          {questions.map(({ question, answer }) => (
            <details key={question} name="questions" className={classes.question}>
              <summary>{question}</summary>
              <div className={classes.answer}>{answer}</div>
            </details>
          ))}
        </Card>
      </section>
    </div>
  </PublicPage>
);
