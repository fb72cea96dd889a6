update item set entity = 'question' where entity = 'escalation';
update item set entity = 'lesson' where entity = 'memory';
update change set entity = 'question' where entity = 'escalation';
update change set entity = 'lesson' where entity = 'memory';
