// One place of the form: its name, type, whether it is sent, its editor and its problems.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/formcontext.h"

#include <QWidget>

class QMenu;

namespace sonde::ui {

class ColumnLayout;
class Editor;
class ElidedText;
class FlatButton;
class HeaderLayout;
class RowLayout;
class SegmentedControl;
class TextLabel;

class Field : public QWidget {
    Q_OBJECT
public:
    enum class Role { Root, Member, Item, Extra };
    enum class Presence { NotSent, Value, Null, Default };
    struct Spec {
        Draft::Ptr draft;
        Shape shape;
        QString label;
        Role role = Role::Member;
        bool isRequired = false;
        bool isTitled = false;  // an item with a header, though it has one row only
    };

    Field(FormContext *context, const Spec &spec, QWidget *parent);
    ~Field() override;

    const Draft::Ptr &draft() const { return m_spec.draft; }
    const Shape &shape() const { return m_spec.shape; }
    bool isRequired() const { return m_spec.isRequired; }
    Editor *editor() const { return m_editor; }
    bool isGroup() const { return m_isGroup; }
    QList<Field *> fields() const;
    Field *reveal(const QString &token);  // opens what hides it

    void choose(Presence presence);
    void assign(const QByteArray &json);  // a value that the schema offers
    void setJson(bool json);              // edited as JSON, at the user's request
    void setExpanded(bool expanded);
    void setIssue(const QString &message, bool isRemark = false);
    void setRemoteIssue(const QString &message);
    bool wasTouched() const { return m_wasTouched; }
    QString problem() const;
    void rename();                                              // the pointer changed: names of all controls within
    void setTitle(const QString &title, const QString &label);  // an item's number, and its name as spoken
    void addButton(QWidget *button);                            // at the right end of the field's own row
    void addHandle(QWidget *handle);                            // at its left end
    void focusControl();
    void refresh();  // shows what the draft says
    void setRequired(bool required);
    // Opens a group that has something to show.
    void setFilter(const FieldFilter *filter);
    void setFound(bool found);  // the one that is looked for
    bool isShort() const;       // needs half a line, or less
    int shortWidth() const;     // of its name, its type and a usual value
    void follow();              // the same after a change elsewhere: what is collapsed stays so

Q_SIGNALS:
    void linesEntered(const QStringList &lines);  // see Editor
    void issueShown(bool isWrong);
    void removalRequested();  // of a row, by key

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void showDraft();
    void updateStates();
    bool hasContainerShape() const;
    bool isRows() const;
    bool opensByItself() const;
    bool isWithinItself() const;
    bool isOfServer() const;  // the server decides
    bool isReadOnly() const;  // what the server decides is shown, and not sent
    void showReadOnly();
    QString hint() const;
    QString shownName() const;
    QWidget *makeHeader();
    void showStar();
    void addViewSwitch();
    void addPresenceButton();
    bool isPresenceBeside() const;  // the editor
    void placePresence();
    void build();
    void dropEditor();
    void onEdited();
    void updateState();
    void showMenu();
    void fillMenu(QMenu *menu);
    void showIssue();

    FormContext *m_context;
    Spec m_spec;
    Editor *m_editor = nullptr;
    ColumnLayout *m_column;
    HeaderLayout *m_header = nullptr;
    int m_lead = 0;              // widgets before the editor
    RowLayout *m_row = nullptr;  // the editor, and beside it the buttons of a field of one row
    QWidget *m_body = nullptr;
    ElidedText *m_title = nullptr;
    ElidedText *m_hint = nullptr;
    FlatButton *m_presence = nullptr;
    FlatButton *m_expander = nullptr;
    TextLabel *m_issue = nullptr;
    TextLabel *m_star = nullptr;
    SegmentedControl *m_views = nullptr;  // of a list that can be a table
    QList<QWidget *> m_buttons;
    QString m_issueText;
    bool m_isRemark = false;  // m_issueText is about a value that is valid
    QString m_remoteText;
    QByteArray m_beforeNull;
    bool m_isMade = false;
    bool m_isGroup = false;  // has a body of its own below a header
    bool m_isJson = false;
    bool m_isExpanded = false;
    bool m_wasPresent = false;
    bool m_wasTouched = false;
    bool m_isFound = false;
};

}  // namespace sonde::ui
